"""A report that one file holds: tables, tasks and screenshots in, self-contained HTML out."""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from waypost.bench.run import Trial
from waypost.bench.stats import ArmFigures

__all__ = ["Picture", "ReportData", "arm_rows", "render", "shrunk", "trial_rows"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot with its words."""

    title: str
    caption: str
    png: bytes
    group: str = ""


@dataclass(frozen=True, slots=True)
class ReportData:
    title: str
    lead: str
    """One paragraph of plain text: what was run, on what, with which seed."""
    explore: Sequence[tuple[str, dict[str, Any]]] = ()
    """A row a policy."""
    arms: Sequence[tuple[str, ArmFigures]] = ()
    trials: Sequence[Trial] = ()
    pictures: Sequence[Picture] = ()
    notes: Sequence[str] = ()


def render(data: ReportData) -> str:
    """Write the report; text from screens and tasks is escaped, pictures are inlined."""
    from jinja2 import Environment

    source = files("waypost.bench").joinpath("report.html.j2").read_text(encoding="utf-8")
    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(source)
    groups: dict[str, list[dict[str, str]]] = {}
    for picture in data.pictures:
        row = {"title": picture.title, "caption": picture.caption, "src": _inlined(picture.png)}
        groups.setdefault(picture.group, []).append(row)
    names = list(dict.fromkeys(t.arm for t in data.trials))
    return template.render(
        data=data, arms=arm_rows(data.arms), names=names, tasks=trial_rows(data.trials), groups=groups
    )


def arm_rows(arms: Sequence[tuple[str, ArmFigures]]) -> list[dict[str, Any]]:
    """Return the figures of each arm as text, and bar lengths in percent for the plot."""
    return [
        {
            "arm": name,
            "n": f.n,
            "success": f"{f.success:.1%}",
            "ci": f"{100 * f.ci95[0]:.1f}-{100 * f.ci95[1]:.1f}",
            "absent": f"{f.abstained:.0%} of {f.absent_n}" if f.absent_n else "none asked",
            "false": f.false_arrivals,
            "wrong": f.wrong_page,
            "spl": f"{f.spl:.3f}",
            "actions": f"{f.actions:.1f}",
            "bar": round(100 * f.success, 2),
            "low": round(100 * f.ci95[0], 2),
            "span": round(100 * (f.ci95[1] - f.ci95[0]), 2),
        }
        for name, f in arms
    ]


def trial_rows(trials: Sequence[Trial]) -> list[dict[str, Any]]:
    """Return one row a task, with a cell an arm."""
    rows: dict[str, dict[str, Any]] = {}
    for trial in trials:
        target = trial.task.target
        row = rows.setdefault(
            trial.task.id,
            {"id": trial.task.id, "say": trial.task.instruction, "absent": target is None, "cells": {}},
        )
        row["cells"][trial.arm] = _cell(trial)
    return list(rows.values())


def _cell(trial: Trial) -> dict[str, str]:
    if trial.false_arrival:
        mark, tone = "false arrival", "bad"
    elif trial.wrong_page:
        mark, tone = "wrong page", "off"
    elif trial.success or trial.abstained:
        mark, tone = ("reached" if trial.success else "abstained"), "good"
    else:
        mark, tone = trial.episode.stop.value.replace("_", " "), "off"
    return {"mark": mark, "tone": tone, "why": trial.reason, "actions": str(trial.episode.actions)}


def _inlined(png: bytes, width: int = 216) -> str:
    """Return a smaller WebP as a data address; empty for no picture."""
    return "data:image/webp;base64," + base64.b64encode(shrunk(png, width)).decode() if png else ""


def shrunk(png: bytes, width: int) -> bytes:
    """Return a picture as a WebP of that width."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        height = max(1, round(picture.height * width / picture.width))
        out = io.BytesIO()
        picture.convert("RGB").resize((width, height)).save(out, "WEBP", quality=70)
    return out.getvalue()
