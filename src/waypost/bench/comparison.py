"""A comparison to read: its figures and its store in, Markdown or one self-contained page out."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

from waypost.bench.misses import CLASSES
from waypost.bench.playing import players
from waypost.bench.plots import bars, curves_plot, forest
from waypost.bench.store import EpisodeStore
from waypost.bench.summary import ALL, Summary
from waypost.guidance.formats import FORMATS

__all__ = ["markdown", "page"]

_LISTED = 60


def markdown(summary: Summary) -> str:
    """Write the tables: arms by suite, pairs, decomposition, routes, classes of misses, coverage."""
    cells = [c.as_json() for c in summary.cells()]
    pairs = summary.pairs()
    parts = [
        "# Comparison",
        f"{len(summary.scored)} episodes, judged by {summary.judge}. A near miss fails; intervals are 95 %.",
        "## Arms\n\n" + _table(_CELLS, [_cell_row(c) for c in cells]),
        "## Pairs of arms on the same tasks\n\n" + _table(_PAIRS, [_pair_row(p) for p in pairs]),
        "Exact McNemar, two-sided; Holm over the pairs of one suite and actor; interval of the difference by "
        "paired bootstrap over tasks. 'for 80 %': tasks with which this gap is seen four times in five.",
        "## What the memory held\n\n" + _table(_HELD, [_held_row(c) for c in cells if c["structure"]]),
        "A perfect follower arrives wherever the right page was retrieved and the map has a way to it.",
        *_told_part(cells),
        "## Success by length of the route\n\n" + _table(_BANDS, [_band_row(b) for b in summary.bands()]),
        _correlated(summary),
        "## Misses by class\n\n" + _table(("suite", "arm", "actor", *CLASSES), [_miss_row(c) for c in cells]),
        "\n".join(f"- {kind}: {words}" for kind, words in CLASSES.items()),
    ]
    if summary.curves:
        parts.append("## Coverage\n\n" + _table(_AREAS, _curve_rows(summary)))
    return "\n\n".join(parts)


_CELLS = (
    *("suite", "arm", "actor", "tasks", "reached", "share", "95 %", "abstained", "false", "wrong", "SPL"),
    *("steps", "s/step", "tokens/step"),
)
_PAIRS = (
    *("suite", "actor", "pair", "tasks", "reached", "up", "down", "difference", "95 %"),
    *("p", "Holm", "for 80 %"),
)
_HELD = (
    *("suite", "arm", "actor", "tasks", "covered", "refused of these", "retrieved", "path"),
    *("perfect follower", "reached", "waypoints"),
)
_TOLD = ("suite", "arm", "actor", "looks", "pieces a look", "an episode", "this actor cannot read of it")
_BANDS = ("waypoints", "runs", "reached", "95 %")
_AREAS = ("suite", "arm", "pages at the end", "area under the curve", "steps", "of")


def _table(heads: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    told = [[str(v) for v in row] for row in rows]
    wide = [max(len(h), *(len(r[i]) for r in told)) if told else len(h) for i, h in enumerate(heads)]

    def line(values: Sequence[str]) -> str:
        return "| " + " | ".join(v.ljust(w) for v, w in zip(values, wide, strict=True)) + " |"

    return "\n".join([line(heads), line(["-" * w for w in wide]), *map(line, told)])


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _span(ci: Sequence[float]) -> str:
    return f"{100 * ci[0]:.1f} to {100 * ci[1]:.1f}"


def _cell_row(c: dict[str, Any]) -> list[Any]:
    absent = f"{round(c['abstained'] * c['absent_n'])}/{c['absent_n']}" if c["absent_n"] else "-"
    return [
        *(
            c["suite"],
            c["arm"],
            c["actor"],
            c["tasks"],
            c["reached"],
            _percent(c["success"]),
            _span(c["ci95"]),
        ),
        *(absent, c["false_arrivals"], c["wrong_page"], f"{c['spl']:.3f}", c["steps"]),
        *(_or_dash(c["seconds_per_step"]), _or_dash(c["tokens_per_step"]) if c["tokens"] else "-"),
    ]


def _or_dash(value: Any) -> Any:
    return "-" if value is None else value


def _pair_row(p: dict[str, Any]) -> list[Any]:
    return [
        *(p["suite"], p["actor"], f"{p['first']} -> {p['second']}", p["n"]),
        f"{p['first_reached']} -> {p['second_reached']}",
        *(p["up"], p["down"], f"{100 * p['difference']:+.1f}", _span(p["ci95"])),
        *(_p(p["p"]), _p(p["p_holm"]), _or_dash(p["tasks_for_80"])),
    ]


def _p(value: float) -> str:
    return "<0.0001" if value < 0.0001 else f"{value:.4f}"


def _held_row(c: dict[str, Any]) -> list[Any]:
    s = c["structure"]
    named = [c["suite"], c["arm"], c["actor"], s["n"], s["covered"], s["refused_though_covered"]]
    named += [s["retrieved"], s["path"]]
    return [*named, s["perfect_follower"], round(c["success"] * c["n"]), _or_dash(s["waypoints"])]


def _told_part(cells: Sequence[dict[str, Any]]) -> list[str]:
    told = [_told_row(c) for c in cells if c["told"]]
    if not told:
        return []
    words = "Pieces: word pieces of BERT's uncased vocabulary, over everything that the memory said."
    here = dict.fromkeys(word for c in cells for word in c["arm"].split("+") if word in FORMATS)
    forms = "\n".join(f"- {n}: {FORMATS[n].title}; left out: {FORMATS[n].left_out}" for n in here)
    return (
        [part for part in ("## What was told\n\n" + _table(_TOLD, told), words, forms) if part]
        if told
        else []
    )


def _told_row(c: dict[str, Any]) -> list[Any]:
    t = c["told"]
    return [c["suite"], c["arm"], c["actor"], t["looks"], t["per_look"], t["per_episode"], _unread(c)]


def _unread(c: dict[str, Any]) -> str:
    """Say what of a form of memory an actor without a model is blind to."""
    if c["actor"].partition("/")[0].partition(":")[0] not in ("lexical", "noisy"):
        return "-"
    forms = [FORMATS[word] for word in c["arm"].split("+") if word in FORMATS]
    return forms[0].offline if forms else "sentences: it reads quoted names, the destination and what is next"


def _band_row(b: dict[str, Any]) -> list[Any]:
    return [b["waypoints"], b["n"], b["reached"], _span(b["ci95"])]


def _miss_row(c: dict[str, Any]) -> list[Any]:
    return [c["suite"], c["arm"], c["actor"], *(c["misses"][kind] for kind in CLASSES)]


def _correlated(summary: Summary) -> str:
    found = summary.length_correlation()
    if found["spearman"] is None:
        return f"Success and length of the route: {found['n']} runs, too few or too alike for a correlation."
    return f"Success and length of the route: Spearman's rho {found['spearman']:+.3f} over {found['n']} runs."


def _curve_rows(summary: Summary) -> list[list[Any]]:
    return [
        [
            suite,
            arm,
            f"{100 * c['points'][-1][1]:.1f} %",
            c["area"],
            c["until"],
            f"{row['pages']} {row['of']}",
        ]
        for suite, row in summary.curves.items()
        for arm, c in row["arms"].items()
        if c["points"]
    ]


def page(summary: Summary, store: EpisodeStore) -> str:
    """Write one file that needs nothing else: tables, plots, misses, a player of episodes."""
    from jinja2 import Environment

    cells = [c.as_json() for c in summary.cells()]
    pairs = summary.pairs()
    whole = [c for c in cells if c["suite"] == ALL]
    shown = whole or cells
    source = files("waypost.bench").joinpath("comparison.html.j2").read_text(encoding="utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(source)
    lost: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in summary.misses():
        lost[row["class"]].append(row)
    return template.render(
        judge=summary.judge,
        episodes=len(summary.scored),
        suites=sorted({c["suite"] for c in cells if c["suite"] != ALL}),
        tables=[
            ("Arms", _CELLS, [_cell_row(c) for c in cells]),
            ("Pairs of arms on the same tasks", _PAIRS, [_pair_row(p) for p in pairs]),
            ("What the memory held", _HELD, [_held_row(c) for c in cells if c["structure"]]),
            ("What was told", _TOLD, [_told_row(c) for c in cells if c["told"]]),
            ("Misses by class", ("suite", "arm", "actor", *CLASSES), [_miss_row(c) for c in cells]),
        ],
        success=bars([(f"{c['arm']} ({c['actor']})", c["success"], tuple(c["ci95"]), c["n"]) for c in shown]),
        forest=forest(
            [
                (f"{p['suite']}: {p['second']} ({p['actor']})", p["difference"], tuple(p["ci95"]), p["n"])
                for p in pairs
                if p["first"] == "none"
            ]
        ),
        waypoints=bars(
            [
                (f"{b['waypoints']} pages", b["reached"] / max(1, b["n"]), tuple(b["ci95"]), b["n"])
                for b in summary.bands()
            ]
        ),
        correlated=_correlated(summary),
        curves=[(suite, curves_plot(row["arms"]), row) for suite, row in summary.curves.items()],
        classes=CLASSES,
        lost={kind: (rows[:_LISTED], len(rows)) for kind, rows in sorted(lost.items())},
        players=players(summary, store),
    )
