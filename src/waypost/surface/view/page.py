"""The page itself: perhaps a map's data in, HTML with all its scripts and styles inside of it out."""

import base64
import hashlib
import json
from functools import cache
from importlib.resources import files
from typing import Any

__all__ = ["asset", "policy", "rendered"]

_SCRIPTS = ("dom", "source", "graph", "picture", "cards", "forms", "ways", "changes", "main")
"""In the order in which they build on each other."""


def rendered(data: dict[str, Any] | None) -> tuple[str, str]:
    """Return the page and the digest of its script; with `data` it asks no server for anything.

    What comes off an app's screens lies in the page as JSON in which no tag can end or begin.
    """
    import jinja2

    script = _script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = (
        jinja2.Environment(autoescape=True)
        .from_string(asset("page.html.j2"))
        .render(
            style=asset("page.css"),
            script=script,
            data=_inert(data),
            policy=policy(digest, offline=True) if data is not None else "",
        )
    )
    return page, digest


def policy(digest: str, *, offline: bool = False) -> str:
    """Return what the page may do: run its own script, show its own pictures, ask its own server."""
    ask = "" if offline else " connect-src 'self';"
    return (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        f"img-src 'self' data:;{ask} base-uri 'none'; form-action 'none'"
    )


@cache
def _script() -> str:
    parts = [asset(f"{name}.js") for name in _SCRIPTS]
    return "\n".join(['"use strict";', *parts])


def asset(name: str) -> str:
    """Return the text of a script or a style."""
    return (files("waypost.surface.view") / "assets" / name).read_text(encoding="utf-8")


def _inert(data: dict[str, Any] | None) -> str:
    r"""Write JSON that stays data wherever it stands in a page.

    >>> _inert({"name": "</script><b>"})
    '{"name":"\\u003c/script\\u003e\\u003cb\\u003e"}'
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
