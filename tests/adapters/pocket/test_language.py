"""The app language: what it accepts, and how it says what is wrong."""

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.adapters.pocket.driving import APP
from waypost.adapters.pocket import apps, load, load_file
from waypost.adapters.pocket.expr import compile_expr, compile_text
from waypost.adapters.pocket.load import parse
from waypost.errors import UsageError


class _Names(dict[str, object]):
    def value(self, name: str) -> object:
        return self[name]


@pytest.mark.parametrize("app", apps())
def test_every_shipped_app_loads(app: str) -> None:
    spec = load(app)
    assert spec.app == app
    assert spec.start in spec.pages


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("go: powered}", "go: power}", r"pages\.home\.body\[1\].*no page or overlay 'power'"),
        ("bind: level", "bind: lever", r"no variable 'lever'; put it into `state`"),
        ("- {row: Form,", "- {rwo: Form,", "no widget kind among rwo, go"),
        ("- {row: Form,", "- {row: Form, colour: red,", "unknown key 'colour'; known: "),
        ("icon: more", "icon: dots", "no icon 'dots'; icons: "),
        ("bottom: main", "bottom: mian", "no bar 'mian'; bars are main, sorts"),
        ("kind: menu", "kind: popup", "one of menu, dialog, sheet, drawer"),
        ("crash: true", "crush: true", "unknown effect 'crush'"),
        ("when: power", "when: power +", "Not an expression"),
        ("when: power", "when: powder", "no variable or table 'powder'"),
        ("text: Gold", "text: No", "quote it"),
        ("{power: false", "{off: false", "YAML as False; quote it"),
        ("item: people", "item: folks", "no table 'folks'"),
        ("permission: location", "permission: soul", "one of calendar, camera"),
        ("start: home", "start: hom", "no page 'hom'"),
        ("list: pets", "list: cats", "no table 'cats'"),
        ("loading: 2", "loading: long", "a number of looks"),
        ("app: small", "ap: small", "unknown key 'ap'"),
    ],
)
def test_a_mistake_is_named_with_its_place_and_cure(old: str, new: str, says: str) -> None:
    assert old in APP
    with pytest.raises(UsageError, match=says) as caught:
        parse(APP.replace(old, new, 1), "small.yaml")
    assert re.match(r"small\.yaml, line \d+, at ", str(caught.value))


def test_the_line_is_where_the_mistake_is() -> None:
    lines = APP.split("\n")
    wrong = next(i for i, line in enumerate(lines) if "row: Sort" in line)
    lines[wrong] = lines[wrong].replace("go: old", "go: nowhere")
    with pytest.raises(UsageError, match=f"line {wrong + 1}, at pages"):
        parse("\n".join(lines), "small.yaml")


def test_what_is_not_yaml_or_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is not YAML"):
        parse("a: [", "x.yaml")
    with pytest.raises(UsageError, match="starts with `app: NAME`"):
        parse("- a", "x.yaml")
    with pytest.raises(UsageError, match="Cannot read app file"):
        load_file(tmp_path / "none.yaml")
    with pytest.raises(UsageError, match="has no app 'none'"):
        load("none")


def test_a_page_takes_over_what_another_has() -> None:
    spec = parse(
        """
app: a
package: a.b
start: one
pages:
  one: {title: $what, with: {what: One}, body: [{text: "see $what"}], overlays: {m: {kind: menu, items: []}}}
  two: {like: one, with: {what: Two}, activity: .Two}
""",
        "a.yaml",
    )
    assert set(spec.pages) == {"one", "one+m", "two", "two+m"}
    two = spec.pages["two"]
    assert two.title is not None
    assert (two.title.source, two.body[0].label.source, two.activity) == ("Two", "see Two", ".Two")


def test_a_page_cannot_be_like_itself() -> None:
    with pytest.raises(UsageError, match="leads back"):
        parse("app: a\npackage: a\nstart: x\npages: {x: {like: y}, y: {like: x}}", "a.yaml")


@given(
    st.integers(-9, 9), st.integers(-9, 9), st.sampled_from(["<", "<=", "==", "!=", ">", ">=", "+", "-", "*"])
)
def test_expressions_mean_what_they_mean_in_python(a: int, b: int, sign: str) -> None:
    got = compile_expr(f"x {sign} y").run(_Names(x=a, y=b))
    assert got == eval(f"{a} {sign} ({b})")


@given(st.text(alphabet="abx0 .+-*/%()[]{}'\"<>=!,_:", max_size=20))
def test_no_text_breaks_the_expression_compiler(source: str) -> None:
    with contextlib.suppress(ValueError):
        compile_expr(source)
    with contextlib.suppress(ValueError):
        compile_text(source)


@given(st.text(max_size=30).filter(lambda s: "{" not in s and "}" not in s))
def test_a_label_without_braces_is_itself(label: str) -> None:
    assert compile_text(label).show(_Names()) == label


@pytest.mark.parametrize(
    "source", ["open('x')", "a.__class__.mro()", "[x for x in y]", "lambda: 1", "f'{a}'"]
)
def test_expressions_cannot_do_anything_but_compute(source: str) -> None:
    with pytest.raises(ValueError, match=r"Only len|Not allowed"):
        compile_expr(source)
