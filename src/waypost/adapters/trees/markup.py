"""Text of a dump in, tags out, whatever state it is in: total over every input; only the plain entities.

The grammar is the one that dump commands use: tags and attributes. A reader of its own, since the
stock parsers stop at the first fault, and half a tree is worth having.
"""

import re
from dataclasses import dataclass, field

__all__ = ["Document", "Tag", "documents"]

MOST = 20_000
"""Tags after which reading stops; a phone's screen has some hundreds, a web page some thousands."""

_PROLOG = re.compile(r"<\?xml\b")
_NAME = re.compile(r"[A-Za-z_][^\s/>=\"'<]*")
_ATTRIBUTE = re.compile(r"\s*([^\s=/>\"'<]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")
_END = re.compile(r"\s*(/?)>")
_JUNK = re.compile(r"[^\s/><]*")
_CLOSE = re.compile(r"\s*([^\s/>=\"'<]*)\s*>")
_SPACE = re.compile(r"\r\n|[\t\r\n]")
_REFERENCE = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));")
_PLAIN = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


@dataclass(slots=True, eq=False)
class Tag:
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Tag"] = field(default_factory=list)
    text: str = ""
    """What stands between this tag and the next."""


@dataclass(slots=True, eq=False)
class Document:
    roots: list[Tag] = field(default_factory=list)
    count: int = 0
    broken: list[str] = field(default_factory=list)
    """What is wrong with it such that something may be missing; at most a few."""

    def fault(self, what: str) -> None:
        if len(self.broken) < 5 and what not in self.broken:
            self.broken.append(what)


def documents(text: str) -> list[Document]:
    """Read every document in a text, one a prolog.

    >>> (found,) = documents('<?xml version="1.0"?><a x="1 &lt; 2"><b/><c y="cut')
    >>> [(t.name, t.attributes) for t in found.roots], [t.name for t in found.roots[0].children]
    ([('a', {'x': '1 < 2'})], ['b', 'c'])
    >>> found.broken
    ['a tag was cut off', 'not every tag was closed']
    """
    starts = [m.start() for m in _PROLOG.finditer(text)]
    if not starts or starts[0] > 0:
        starts.insert(0, 0)
    ends = [*starts[1:], len(text)]
    return [
        d for d in (_document(text, a, b) for a, b in zip(starts, ends, strict=True)) if d.count or d.broken
    ]


def unescaped(value: str) -> str:
    r"""Put plain signs for references; what is none is left as it stands.

    >>> unescaped("a &amp; b&#10;c &nbsp; &#55357;") == "a & b\nc &nbsp; \ud83d"
    True
    """
    return _REFERENCE.sub(_sign, value) if "&" in value else value


def _sign(found: re.Match[str]) -> str:
    if found[3]:
        return _PLAIN[found[3]]
    code = int(found[1]) if found[1] else int(found[2], 16)
    return chr(code) if code < 0x110000 else "\ufffd"


def _document(text: str, at: int, end: int) -> Document:
    document, open_tags = Document(), list[Tag]()
    while (start := text.find("<", at, end)) >= 0:
        if open_tags and not open_tags[-1].children:
            open_tags[-1].text += text[at:start]
        if document.count >= MOST:
            document.fault(f"more than {MOST} tags")
            break
        at = _step(text, start, end, document, open_tags)
    if open_tags:
        document.fault("not every tag was closed")
    return document


def _step(text: str, start: int, end: int, document: Document, open_tags: list[Tag]) -> int:
    """Read what begins at a `<`; return where reading goes on."""
    for opening, closing in (("<?", "?>"), ("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!", ">")):
        if text.startswith(opening, start):
            found = text.find(closing, start + len(opening), end)
            return found + len(closing) if found >= 0 else end
    if text.startswith("</", start):
        return _closed(text, start, end, document, open_tags)
    name = _NAME.match(text, start + 1, end)
    if name is None:
        document.fault("a stray <")
        return start + 1
    tag = Tag(name[0])
    (open_tags[-1].children if open_tags else document.roots).append(tag)
    document.count += 1
    at, empty = _attributes(text, name.end(), end, tag, document)
    if not empty:
        open_tags.append(tag)
    return at


def _attributes(text: str, at: int, end: int, tag: Tag, document: Document) -> tuple[int, bool]:
    """Fill a tag; return where it ends, and whether it is empty by itself."""
    while True:
        if found := _ATTRIBUTE.match(text, at, end):
            value = found[2] if found[2] is not None else found[3]
            tag.attributes.setdefault(found[1], unescaped(_SPACE.sub(" ", value)))
            at = found.end()
        elif closing := _END.match(text, at, end):
            return closing.end(), bool(closing[1])
        else:
            at = _past_junk(text, at, end)
            if at >= end:
                document.fault("a tag was cut off")
                return end, True
            document.fault("signs that belong to no attribute")
            if text[at] == "<":
                return at, False


def _past_junk(text: str, at: int, end: int) -> int:
    """Skip one run of what is no attribute; stops before a `<`, so that the next tag is not lost."""
    while at < end and text[at].isspace():
        at += 1
    if at < end and text[at] == "<":
        return at
    found = _JUNK.match(text, at, end)
    past = found.end() if found else at
    return past if past > at else at + 1


def _closed(text: str, start: int, end: int, document: Document, open_tags: list[Tag]) -> int:
    found = _CLOSE.match(text, start + 2, end)
    if found is None:
        document.fault("a closing tag was cut off")
        following = text.find("<", start + 2, end)
        return following if following >= 0 else end
    names = [t.name for t in open_tags[-40:]]
    if not names or found[1] not in names:
        document.fault("a closing tag that was never opened")
        return found.end()
    while open_tags and open_tags.pop().name != found[1]:
        document.fault("a tag was never closed")
    return found.end()
