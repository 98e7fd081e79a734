"""The page to tap on: HTML with its script and style inside of it."""

import base64
import hashlib
from functools import cache
from importlib.resources import files

from waypost.surface.view.page import asset

__all__ = ["rendered"]


@cache
def rendered() -> tuple[str, str]:
    """Return the page and the digest of its script."""
    import jinja2

    own = files("waypost.surface.record") / "assets"
    script = "\n".join(['"use strict";', asset("dom.js"), (own / "record.js").read_text(encoding="utf-8")])
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    style = asset("page.css") + (own / "record.css").read_text(encoding="utf-8")
    template = jinja2.Environment(autoescape=True).from_string(
        (own / "record.html.j2").read_text(encoding="utf-8")
    )
    return template.render(style=style, script=script), digest
