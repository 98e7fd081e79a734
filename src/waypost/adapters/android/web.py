"""What `dumpsys activity activities` says of a web app that is served as an Android app in, its page out.

The address stands in the intent of the activity in front: `dat=http://host/path cmp=PACKAGE/.Main`. A real
browser's activity has such a `dat=` too: that of the link which once opened it, however far the user has
gone since. So it counts only where the package itself is what that very address is served as, which no real
browser's is: there each dump writes the address anew.
"""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from waypost.adapters.served import MAIN, serves

__all__ = ["WebPage", "may_serve", "web_page"]

_RECORD = re.compile(r"\* Hist +#\d+: ActivityRecord\{[0-9a-f]+ (?:u\d+ )?([\w.]+)/([\w.$]+) t\d+")
_INTENT = re.compile(r"^ *Intent \{ [^\n]*?\bdat=(https?://\S+) [^\n]*?\bcmp=([\w.]+)/([\w.$]+)", re.M)
_LABEL = re.compile(r'taskDescription: label="([^"\n]*)"')


@dataclass(frozen=True, slots=True)
class WebPage:
    """What a web app shows, as a browser tells it."""

    app: str
    """Origin."""
    place: str
    """Path with query and fragment."""
    title: str = ""


def may_serve(package: str) -> bool:
    """Whether a package may be a served web app's, so that its address is worth asking for.

    >>> may_serve("web.h127_0_0_1.p5006"), may_serve("com.android.chrome")
    (True, False)
    """
    return package.startswith("web.")


def web_page(text: str, package: str) -> WebPage | None:
    r"""Read where the web app `package` is; None where it is none, or its address cannot be relied on.

    >>> record = "* Hist  #0: ActivityRecord{1 u0 web.h127_0_0_1.p80/.Main t1}"
    >>> intent = "Intent { act=VIEW dat=http://127.0.0.1:80/a?b=c#d cmp=web.h127_0_0_1.p80/.Main }"
    >>> web_page(f"{record}\n  {intent}", "web.h127_0_0_1.p80")
    WebPage(app='http://127.0.0.1:80', place='/a?b=c#d', title='')
    >>> web_page(f"{record}\n  {intent}".replace("web.h", "org.h"), "org.h127_0_0_1.p80") is None
    True
    """
    for record in _RECORD.finditer(text):
        if record[1] != package or record[2] != MAIN:
            continue
        following = _RECORD.search(text, record.end())
        block = text[record.end() : following.start() if following else len(text)]
        found = _INTENT.search(block)
        if found is None or (found[2], found[3]) != (package, MAIN):
            return None
        parts = urlsplit(found[1])
        app = f"{parts.scheme}://{parts.netloc}"
        if not serves(package, app):
            return None
        label = _LABEL.search(block)
        return WebPage(app, found[1].removeprefix(app), label[1].strip() if label else "")
    return None
