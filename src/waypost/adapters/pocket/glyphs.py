"""Icon name and size in, a grey mask of its shape out; drawn from strokes on a grid of 24."""

from functools import lru_cache

from PIL import Image, ImageDraw

__all__ = ["glyph"]

_OVER = 4
"""Oversampling: shapes are drawn larger and shrunk for smooth edges."""

# c: circle cx cy r; d: disc cx cy r; l: line x y ...; p: polygon x y ...; r: box left top right bottom r;
# b: filled box; e: disc cut out; a: arc cx cy r from to (degrees).
_STROKES = {
    "add": "l 12 5 12 19; l 5 12 19 12",
    "alarm": "c 12 13 7; l 12 9 12 13 15 15; l 3 6 6 3; l 21 6 18 3",
    "archive": "r 4 4 20 8 1; l 5 8 5 20 19 20 19 8; l 9 12 15 12",
    "arrow": "l 9 6 15 12 9 18",
    "back": "l 20 12 5 12; l 11 6 5 12 11 18",
    "bag": "r 5 8 19 21 2; a 12 8 4 180 360",
    "bell": "l 5 17 7 15 7 11; a 12 10.5 5 180 360; l 17 11 17 15 19 17 5 17; d 12 20 1.8",
    "bin": "l 5 7 19 7; l 7 7 8 21 16 21 17 7; l 10 4 14 4",
    "book": "r 5 3 19 21 2; l 9 3 9 21",
    "calendar": "r 4 5 20 20 2; l 4 10 20 10; l 8 3 8 6; l 16 3 16 6; d 9 14 1; d 15 14 1",
    "call": "l 6 4 9 4 10 8 8 10 14 16 16 14 20 15 20 18 18 20 12 18 6 12 4 6 6 4",
    "camera": "r 3 7 21 19 2; c 12 13 4; l 8 7 10 4 14 4 16 7",
    "card": "r 3 5 21 19 2; b 3 9 21 12 0",
    "cart": "l 3 4 6 4 8 15 18 15 20 7 7 7; d 9 19 1.6; d 17 19 1.6",
    "chart": "b 5 12 8 20 0; b 11 7 14 20 0; b 17 4 20 20 0",
    "chat": "r 3 4 21 17 3; p 7 16 7 22 13 17",
    "check": "l 5 12 10 17 19 7",
    "clock": "c 12 12 9; l 12 7 12 12 16 14",
    "close": "l 6 6 18 18; l 18 6 6 18",
    "cloud": "a 8 14 4 90 270; a 12 10 5 180 340; a 17 14.5 3.5 270 90; l 8 18 17 18",
    "download": "l 12 4 12 15; l 7 11 12 16 17 11; l 5 20 19 20",
    "edit": "l 5 19 6 15 16 5 19 8 9 18 5 19; l 14 7 17 10",
    "eye": "a 12 17 10 215 325; a 12 7 10 35 145; d 12 12 3",
    "file": "l 6 3 14 3 18 7 18 21 6 21 6 3; l 14 3 14 7 18 7",
    "filter": "l 4 6 20 6; l 7 12 17 12; l 10 18 14 18",
    "flag": "l 6 21 6 4 17 4 15 8 17 12 6 12",
    "folder": "l 3 6 9 6 11 8 21 8 21 19 3 19 3 6",
    "gear": "c 12 12 7; c 12 12 3; l 12 2 12 5; l 12 19 12 22; l 2 12 5 12; l 19 12 22 12; "
    "l 5 5 7 7; l 17 17 19 19; l 19 5 17 7; l 5 19 7 17",
    "globe": "c 12 12 9; l 3 12 21 12; l 12 3 8 8 8 16 12 21 16 16 16 8 12 3",
    "heart": "p 12 21 3 11 3 7 6 4 9 4 12 7 15 4 18 4 21 7 21 11",
    "help": "c 12 12 9; a 12 9.5 2.8 180 80; l 12 12.5 12 14; d 12 17 1.1",
    "home": "l 3 12 12 4 21 12; l 6 10 6 20 18 20 18 10",
    "image": "r 3 4 21 20 2; d 8.5 9.5 1.8; p 5 18 11 11 15 15 17 13 20 18",
    "info": "c 12 12 9; d 12 8 1.2; l 12 11 12 17",
    "key": "c 7.5 12 4; l 11.5 12 21 12 21 16; l 17 12 17 15",
    "link": "r 2 9 12 15 3; r 12 9 22 15 3; l 8 12 16 12",
    "list": "d 5 6 1.3; d 5 12 1.3; d 5 18 1.3; l 9 6 20 6; l 9 12 20 12; l 9 18 20 18",
    "location": "a 12 10 6.5 150 390; l 6.4 13.2 12 21 17.6 13.2; d 12 10 2.4",
    "lock": "b 5 11 19 21 2; a 12 11 4.5 180 360",
    "mail": "r 3 5 21 19 2; l 3 7 12 13 21 7",
    "menu": "l 4 6 20 6; l 4 12 20 12; l 4 18 20 18",
    "mic": "b 9 3 15 14 3; a 12 11 6.5 0 180; l 12 17.5 12 21; l 8 21 16 21",
    "minus": "l 5 12 19 12",
    "moon": "d 11.5 12.5 8; e 15.5 9 7",
    "more": "d 12 5 1.9; d 12 12 1.9; d 12 19 1.9",
    "music": "l 9 18 9 5 19 3 19 16; d 6.5 18 2.6; d 16.5 16 2.6",
    "note": "r 5 3 19 21 2; l 8 8 16 8; l 8 12 16 12; l 8 16 13 16",
    "pause": "b 6 5 10 19 1; b 14 5 18 19 1",
    "pencil": "l 5 19 6 15 16 5 19 8 9 18 5 19; l 14 7 17 10",
    "person": "d 12 8 4; p 4 20 5 16 9 14 15 14 19 16 20 20",
    "phone": "r 7 2 17 22 2; l 11 19 13 19",
    "pin": "a 12 10 6.5 150 390; l 6.4 13.2 12 21 17.6 13.2; d 12 10 2.4",
    "play": "p 7 4 20 12 7 20",
    "plus": "l 12 5 12 19; l 5 12 19 12",
    "refresh": "a 12 12 7.5 300 240; p 19 3 19 9 13 8",
    "search": "c 10.5 10.5 6; l 15 15 20 20",
    "send": "p 3 4 22 12 3 20 6 12",
    "share": "d 18 5 2.6; d 6 12 2.6; d 18 19 2.6; l 18 5 6 12 18 19",
    "shield": "l 12 3 20 6 19 14 12 21 5 14 4 6 12 3",
    "star": "p 12 2.5 15 9 22 9.6 16.7 14.3 18.4 21.2 12 17.5 5.6 21.2 7.3 14.3 2 9.6 9 9",
    "stop": "b 6 6 18 18 1",
    "sun": "d 12 12 4.5; l 12 2 12 4.5; l 12 19.5 12 22; l 2 12 4.5 12; l 19.5 12 22 12; "
    "l 5 5 6.7 6.7; l 17.3 17.3 19 19; l 19 5 17.3 6.7; l 5 19 6.7 17.3",
    "timer": "c 12 13.5 7.5; l 12 9 12 13.5; l 9 3 15 3; l 12 3 12 6",
    "trash": "l 5 7 19 7; l 7 7 8 21 16 21 17 7; l 10 4 14 4",
    "truck": "r 2 7 14 17 1; l 14 10 19 10 22 13 22 17 14 17; d 7 18 2; d 18 18 2",
    "user": "d 12 8 4; p 4 20 5 16 9 14 15 14 19 16 20 20",
    "video": "r 2 6 16 18 2; p 16 11 22 7 22 17 16 13",
    "volume": "p 3 9 7 9 12 5 12 19 7 15 3 15; a 12 12 4 300 60; a 12 12 8 300 60",
    "wallet": "r 3 6 21 19 2; l 3 9 18 9; d 17 13 1.5",
    "wifi": "a 12 19 15 230 310; a 12 19 10 230 310; a 12 19 5.5 230 310; d 12 18.5 1.6",
    "world": "c 12 12 9; l 3 12 21 12; l 12 3 8 8 8 16 12 21 16 16 16 8 12 3",
    "delete": "l 9 6 21 6 21 18 9 18 3 12 9 6; l 12 9.5 17 14.5; l 17 9.5 12 14.5",
    "enter": "l 20 6 20 13 5 13; l 9 9 5 13 9 17",
    "signal": "p 3 20 21 20 21 3",
    "battery": "b 7 5 17 21 2; b 10 3 14 5 0",
}


@lru_cache(maxsize=512)
def glyph(name: str, size: int) -> Image.Image:
    """Draw an icon as a mask of `size` pixels; an unknown name is a ring."""
    scale = size * _OVER / 24
    image = Image.new("L", (size * _OVER, size * _OVER), 0)
    draw = ImageDraw.Draw(image)
    for stroke in _STROKES.get(name, "c 12 12 8").split(";"):
        kind, *numbers = stroke.split()
        _stroke(
            draw,
            kind,
            [float(n) * (1 if kind == "a" and i > 2 else scale) for i, n in enumerate(numbers)],
            scale,
        )
    return image.resize((size, size), Image.Resampling.LANCZOS)


def _stroke(draw: ImageDraw.ImageDraw, kind: str, at: list[float], scale: float) -> None:
    wide = max(1, int(1.9 * scale))
    match kind:
        case "c":
            draw.ellipse(
                (at[0] - at[2], at[1] - at[2], at[0] + at[2], at[1] + at[2]), outline=255, width=wide
            )
        case "d":
            draw.ellipse((at[0] - at[2], at[1] - at[2], at[0] + at[2], at[1] + at[2]), fill=255)
        case "e":
            draw.ellipse((at[0] - at[2], at[1] - at[2], at[0] + at[2], at[1] + at[2]), fill=0)
        case "l":
            draw.line(at, fill=255, width=wide, joint="curve")
            for x, y in zip(at[::2], at[1::2], strict=True):
                draw.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=255)
        case "p":
            draw.polygon(at, fill=255)
        case "r":
            draw.rounded_rectangle(at[:4], at[4], outline=255, width=wide)
        case "b":
            draw.rounded_rectangle(at[:4], at[4], fill=255)
        case _:
            box = (at[0] - at[2], at[1] - at[2], at[0] + at[2], at[1] + at[2])
            draw.arc(box, at[3], at[4], fill=255, width=wide)
