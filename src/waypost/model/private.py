"""What belongs to a person or opens a door: text in, the same text without it out."""

import re

from waypost.model.screen import Bounds, Screen

__all__ = ["private_parts", "redacted", "withheld"]

_EMAIL = r"[\w.+-]+@[\w-]+\.[\w.]+"
_DATE = r"\d{4}-\d\d-\d\d|\d\d?[./-]\d\d?[./-]\d{4}"
_LONG = rf"(?<![\d.-])(?!{_DATE})\(?\+?(?:\d[\s().-]{{0,2}}){{9,}}"
"""A telephone, card or account number; dates are left."""
_KEY = r"\b(?=\w*\d)(?=\w*[a-zA-Z])[\w-]{20,}\b"
"""A key or token."""
_SECRET = re.compile(f"{_EMAIL}|{_LONG}|{_KEY}")
_NAMED = re.compile(
    r"(?P<name>\b(?:pass(?:word|code|phrase)?|pwd|pin|cvv|cvc|otp|token|secret|api[ _-]?key|authorization"
    r"|passwort|kennwort|contrase\w+|mot de passe)\b|密码|口令|验证码|パスワード)"
    r"(?P<sign>[\"'”]?\s*(?:[:=：]|\bis\b)\s*[\"'“]?)(?P<value>(?:bearer\s+|basic\s+)?[^\s,;\"'”}]+)",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b(?:bearer|basic)\s+[\w.~+/=-]{8,}", re.IGNORECASE)
_ISSUED = re.compile(r"\b(?:sk|pk|ghp|gho|xox[abp]|glpat|eyJ)[-_]?[\w.-]{12,}")
_SHORT = re.compile(
    rf"(?<![\w.:/-])(?!{_DATE})(?:\+\d{{1,3}}[\s.-]?)?\(?\d{{2,4}}\)?(?:[\s.-]\d{{2,5}}){{1,4}}(?![\w:/])"
)


def redacted(text: str) -> str:
    """Cut out what looks like an address, a number that belongs to a person, or a key.

    >>> redacted("Call +1 (555) 010-9988"), redacted("Order 12 of 2024")
    ('Call …', 'Order 12 of 2024')
    """
    return _SECRET.sub(lambda m: "…" + (" " if m.group()[-1].isspace() else ""), text).strip()


def withheld(text: str) -> str:
    """Replace what must not leave this machine by what it was; stricter than what may lie on its disk.

    >>> withheld("Mail ann@example.org, password: hunter2, or call 555-0199")
    'Mail [e-mail], password: [secret], or call [number]'
    >>> withheld("On 2026-12-01 at 12:30, 3 of 12")
    'On 2026-12-01 at 12:30, 3 of 12'
    """
    text = _BEARER.sub("[secret]", text)
    text = _NAMED.sub(lambda m: f"{m['name']}{m['sign']}[secret]", text)
    text = _ISSUED.sub("[secret]", text)
    text = re.sub(_EMAIL, "[e-mail]", text)
    text = re.sub(_KEY, "[secret]", text)
    text = re.sub(_LONG, _number, text)
    return _SHORT.sub(lambda m: _number(m) if sum(c.isdigit() for c in m.group()) >= 7 else m.group(), text)


def _number(found: "re.Match[str]") -> str:
    return "[number]" + (" " if found.group()[-1].isspace() else "")


def private_parts(screen: Screen) -> tuple[Bounds, ...]:
    """Return the places of a screen that must not leave: filled secret fields, addresses, numbers."""
    found = (
        e.bounds
        for e in screen.visible()
        if (e.password and e.text) or any(withheld(t) != t for t in (e.text, e.description) if t)
    )
    return tuple(dict.fromkeys(found))
