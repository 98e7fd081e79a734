"""Plots as SVG text: rows of figures in, drawings that print and follow the page's colours out."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

__all__ = ["bars", "curves_plot", "forest"]

Row = tuple[str, float, tuple[float, float], int]
"""What it is, the figure, its interval, and how many it was counted over."""
_WIDE, _EDGE, _HIGH = 440, 8, 38
"""Units of a drawing; each row has its name above its line, so that a phone shows all of it."""
_SHADES = ("a", "b", "c", "d", "e")


def bars(rows: Sequence[Row]) -> str:
    """Draw shares from 0 to 1 as bars with intervals.

    >>> bars([("ours", 0.5, (0.4, 0.6), 10)]).count("<rect")
    1
    """

    def x(share: float) -> float:
        return _EDGE + share * (_WIDE - 2 * _EDGE)

    drawn = [_axis(len(rows), [(x(v / 4), f"{25 * v} %") for v in range(5)])]
    for n, (name, share, (low, high), count) in enumerate(rows):
        y = n * _HIGH
        drawn.append(_name(name, f"{100 * share:.0f} % of {count}", y))
        drawn.append(
            f'<rect class="bar" x="{_EDGE}" y="{y + 20}" width="{x(share) - _EDGE:.1f}" height="12" rx="3"/>'
        )
        drawn.append(_whisker(x(low), x(high), y + 26))
    return _svg(drawn, len(rows), "Shares with 95 % intervals")


def forest(rows: Sequence[Row]) -> str:
    """Draw differences from -1 to 1 as points with intervals around a line at zero."""
    most = max([0.1, *(abs(v) for _, _, ci, _ in rows for v in ci)])

    def x(value: float) -> float:
        return _WIDE / 2 + value / most * (_WIDE / 2 - 2 * _EDGE)

    marks = (-most, -most / 2, 0.0, most / 2, most)
    drawn = [_axis(len(rows), [(x(v), f"{100 * v:+.0f}") for v in marks])]
    drawn.append(f'<line class="zero" x1="{x(0):.1f}" x2="{x(0):.1f}" y1="0" y2="{len(rows) * _HIGH}"/>')
    for n, (name, value, (low, high), count) in enumerate(rows):
        y = n * _HIGH
        drawn.append(_name(name, f"{100 * value:+.0f}, n {count}", y))
        drawn.append(_whisker(x(low), x(high), y + 26))
        drawn.append(f'<circle class="dot" cx="{x(value):.1f}" cy="{y + 26}" r="5"/>')
    return _svg(drawn, len(rows), "Differences to no memory, in points, with 95 % intervals")


def curves_plot(arms: Mapping[str, Mapping[str, Any]]) -> str:
    """Draw pages found against steps, a line an arm."""
    wide, high, left = _WIDE - _EDGE, 200, 44
    until = max([1, *(c["until"] for c in arms.values())])
    drawn = [
        f'<line class="grid" x1="{left}" x2="{wide}" y1="{high * (1 - v):.0f}" y2="{high * (1 - v):.0f}"/>'
        f'<text x="{left - 6}" y="{high * (1 - v) + 4:.0f}" text-anchor="end">{100 * v:.0f} %</text>'
        for v in (0, 0.25, 0.5, 0.75, 1.0)
    ]
    for n, (name, c) in enumerate(arms.items()):
        shade = _SHADES[n % len(_SHADES)]
        way = [(0, 0.0), *c["points"]]
        spots = " ".join(f"{left + p / until * (wide - left):.1f},{high * (1 - v):.1f}" for p, v in way)
        drawn.append(f'<polyline class="line {shade}" points="{spots}"/>')
        drawn.append(
            f'<rect class="key {shade}" x="{left}" y="{high + 28 + 20 * n}" width="14" height="4"/>'
            f'<text x="{left + 22}" y="{high + 35 + 20 * n}">{escape(name)} {c["area"]:.2f}</text>'
        )
    drawn.append(f'<text x="{wide}" y="{high + 18}" text-anchor="end">{until} steps</text>')
    box = f"0 -8 {_WIDE} {high + 40 + 20 * len(arms)}"
    return f'<svg viewBox="{box}" role="img" aria-label="Pages found against steps">{"".join(drawn)}</svg>'


def _name(name: str, figure: str, y: int) -> str:
    return (
        f'<text x="{_EDGE}" y="{y + 14}">{escape(name)}</text>'
        f'<text x="{_WIDE - _EDGE}" y="{y + 14}" text-anchor="end">{escape(figure)}</text>'
    )


def _whisker(low: float, high: float, y: float) -> str:
    return f'<line class="whisker" x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}"/>'


def _axis(rows: int, marks: Sequence[tuple[float, str]]) -> str:
    end = rows * _HIGH
    return "".join(
        f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{end}"/>'
        f'<text class="tick" x="{x:.1f}" y="{end + 16}" text-anchor="{_anchor(x)}">{escape(text)}</text>'
        for x, text in marks
    )


def _anchor(x: float) -> str:
    """Keep the outermost words inside."""
    return "start" if x < 3 * _EDGE else "end" if x > _WIDE - 3 * _EDGE else "middle"


def _svg(drawn: Sequence[str], rows: int, title: str) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDE} {rows * _HIGH + 22}" role="img" aria-label="{escape(title)}">'
        + "".join(drawn)
        + "</svg>"
    )
