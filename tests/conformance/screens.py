"""Screens of any shape, for properties that must hold of all."""

from hypothesis import strategies as st

from waypost.model import Bounds, Element, Role, Screen, TreeQuality

__all__ = ["elements", "screens"]

texts = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8)


def _element(children: st.SearchStrategy[tuple[Element, ...]]) -> st.SearchStrategy[Element]:
    boxes = st.tuples(*[st.integers(0, 499)] * 2, *[st.integers(1, 500)] * 2)
    flags = ("clickable", "scrollable", "checked", "selected", "enabled", "password", "visible")
    return st.builds(
        lambda box, kids, **more: Element(
            bounds=Bounds(box[0], box[1], box[0] + box[2], box[1] + box[3]), children=kids, **more
        ),
        boxes,
        children,
        role=st.sampled_from(list(Role)),
        class_name=st.sampled_from(["", "android.widget.Button", "div", "input:checkbox"]),
        text=texts,
        description=texts,
        hint=texts,
        resource_id=texts,
        href=texts,
        **dict.fromkeys(flags, st.booleans()),
    )


elements = st.recursive(_element(st.just(())), lambda inner: _element(st.tuples() | st.tuples(inner, inner)))
"""Trees of elements, up to 1000 x 1000 pixels."""
screens = st.builds(
    Screen,
    elements | st.just(Element()),
    st.sampled_from(["a.b", "http://x.y"]),
    st.sampled_from(["a.b.Main", "/a?b=c#d", ""]),
    keyboard=st.booleans(),
    overlay=st.sampled_from(["", "android"]),
    quality=st.sampled_from(list(TreeQuality)),
)
