"""An app's colours, light or dark, from its one brand colour."""

from dataclasses import dataclass

from waypost.adapters.pocket.canvas import Color, mixed
from waypost.adapters.pocket.spec import Spec

__all__ = ["Theme", "rgb", "theme"]

_WHITE: Color = (255, 255, 255)


@dataclass(frozen=True, slots=True)
class Theme:
    accent: Color
    on_accent: Color
    text: Color
    muted: Color
    window: Color
    surface: Color
    card: Color
    line: Color
    bar: Color
    on_bar: Color
    status: Color
    error: Color = (186, 26, 26)
    key: Color = _WHITE
    keyboard: Color = (226, 229, 235)

    def named(self, name: str) -> Color:
        if name == "on_snackbar":
            return (240, 240, 245)
        return getattr(self, name, self.text)

    def shadow(self, grow: int) -> Color:
        return mixed(self.window, (0, 0, 0), 0.16 - grow * 0.013)


def rgb(color: str) -> Color:
    """Read #RRGGBB; anything else is a calm blue.

    >>> rgb("#0A0B0C")
    (10, 11, 12)
    """
    value = color.lstrip("#")
    if len(value) != 6:
        return (26, 115, 232)
    return int(value[:2], 16), int(value[2:4], 16), int(value[4:], 16)


def theme(spec: Spec | None, *, dark: bool) -> Theme:
    """The colours of an app (of the launcher where there is none)."""
    accent = rgb(spec.color if spec else "#3B5BA9")
    colored = bool(spec and spec.style == "colored")
    if dark:
        light = mixed(accent, _WHITE, 0.35)
        return Theme(
            accent=light,
            on_accent=(20, 20, 26),
            text=(232, 232, 238),
            muted=(160, 164, 172),
            window=(18, 19, 23),
            surface=(36, 38, 44),
            card=(32, 34, 40),
            line=(52, 55, 62),
            bar=mixed(accent, (18, 19, 23), 0.6) if colored else (18, 19, 23),
            on_bar=(232, 232, 238),
            status=(232, 232, 238),
            error=(255, 140, 130),
            key=(66, 69, 77),
            keyboard=(36, 38, 44),
        )
    return Theme(
        accent=accent,
        on_accent=_WHITE,
        text=(28, 28, 34),
        muted=(98, 102, 110),
        window=(252, 252, 254),
        surface=_WHITE,
        card=mixed((243, 244, 249), accent, 0.04),
        line=(226, 228, 233),
        bar=accent if colored else (252, 252, 254),
        on_bar=_WHITE if colored else (28, 28, 34),
        status=_WHITE if colored or spec is None else (40, 40, 48),
    )
