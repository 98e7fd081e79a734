"""What belongs to a person or opens a door: text in, the same text without it out."""

import re
from functools import lru_cache

from waypost.model.screen import Bounds, Screen

__all__ = ["private_parts", "redacted", "withheld"]

_EMAIL = r"[\w.+'-]+@[\w-]+\.[\w.]+"
_DATE = r"\d{4}[/-]\d\d[/-]\d\d|\d\d?[./-]\d\d?[./-]\d{4}"
_LONG = rf"(?<![\d./-])(?!{_DATE})\(?\+?(?:\d[\s()./·-]{{0,2}}){{9,}}"
"""A telephone, card or account number; dates are left."""
_KEY = r"\b(?=\w*\d)(?=\w*[a-zA-Z])[\w-]{20,}\b"
"""A key or token."""
_SECRET = re.compile(f"{_EMAIL}|{_LONG}|{_KEY}")
_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,3})?(?![A-Za-z0-9])")
_NAMES = (
    r"pass(?:word|code|phrase)?|pwd|pin|cvv|cvc|otp|tan|token|secret|api[ _-]?key|authorization"
    r"|passwort|kennwort|contrase\w+|clave|mot de passe|senha|palavra-passe|parola|şifre|hasło|wachtwoord"
    r"|lösenord|пароль|kata sandi|mật khẩu"
)
_EAST = r"密码|密碼|口令|动态码|パスワード|暗証番号|비밀번호|암호|كلمة المرور|كلمة السر|पासवर्ड|รหัสผ่าน"
_NAMED = re.compile(
    rf"(?P<name>\b(?:{_NAMES})\b|{_EAST})(?P<sign>[\"'”]?\s*[:=：]\s*[\"'“]?)"
    r"(?P<value>(?:bearer\s+|basic\s+)?[^\s,;\"'”}]+)",
    re.IGNORECASE,
)
_SAID = re.compile(
    rf"(?P<name>\b(?:{_NAMES})\b|{_EAST})(?P<sign>\s+(?:is|ist|lautet|est|es|è|é)\s+|\s*(?:是|为|為|は|는|은)\s*)"
    r"(?P<value>(?=[^\s,;。，]*[\d!@#$%^&*?_])[^\s,;。，]{4,})",
    re.IGNORECASE,
)
"""After a verb only what looks like one is a secret: "the password is too short" tells nothing."""
_BEARER = re.compile(r"\b(?:bearer|basic)\s+[\w.~+/=-]{8,}", re.IGNORECASE)
_ISSUED = re.compile(r"\b(?:sk|pk|ghp|gho|xox[abp]|glpat|eyJ)[-_]?[\w.-]{12,}")
_PIECES = re.compile(r"\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])(?:[A-Za-z0-9]{4,6}-){2,}[A-Za-z0-9]{4,6}\b")
"""A recovery key in pieces."""
_SHORT = re.compile(
    rf"(?<![\w.:/-])(?!{_DATE})(?:\+\d{{1,3}}[\s.-]?)?\(?\d{{2,4}}\)?(?:[\s.-]\d{{2,5}}){{1,4}}(?![\w:/])"
)
_CODE_WORDS = (
    r"\b\w*code\w*|\bcódigo\w*|\bcodice\b|\bpin\b|\botp\b|\btan\b|\bpasscode\b|\bkod\w*|\bkód\w*"
    r"|\bкод\w*|\bmã\b"
    r"|验证码|驗證碼|校验码|动态密码|动态码|確認コード|認証コード|인증번호|인증 번호|رمز|كود|कोड"
)
_DIGITS = r"(?<![\d.,:/-])(?:[A-Z]-)?(?:\d{3}[\s-]\d{3}|\d{4,8})(?![\d:/]|[.,-]\d)"
_CODE = re.compile(
    rf"(?P<word>{_CODE_WORDS})(?P<between>[^\d\n]{{0,32}}?)(?P<digits>{_DIGITS})", re.IGNORECASE
)
_CODE_LAST = re.compile(
    rf"(?P<digits>{_DIGITS})(?P<between>[^\d\n]{{1,24}}?)(?P<word>{_CODE_WORDS})", re.IGNORECASE
)
_ENTRY = re.compile(
    r"(?P<word>\b(?:use|enter|utilisez|verwenden sie|usa|use o)\b)(?P<between>\s+)"
    rf"(?P<digits>{_DIGITS})(?=\s+(?:to|pour|um|para|per)\b)",
    re.IGNORECASE,
)
_OTHER_CODE = re.compile(
    r"zip|post|error|fehler|erreur|country|area|länder|vorwahl|promo|rabatt|gutschein|coupon|discount|qr|bar"
    r"|status|dress|source|quell|postal|индекс|邮政|郵便|우편|ascii|http|decode|encode|codec|version|build",
    re.IGNORECASE,
)


def redacted(text: str) -> str:
    """Cut out what looks like an address, a number that belongs to a person, or a key.

    >>> redacted("Call +1 (555) 010-9988"), redacted("Order 12 of 2024")
    ('Call …', 'Order 12 of 2024')
    """
    return _SECRET.sub(lambda m: "…" + (" " if m.group()[-1].isspace() else ""), text).strip()


@lru_cache(maxsize=16_384)
def withheld(text: str) -> str:
    """Replace what must not leave this machine by what it was; stricter than what records say.

    >>> withheld("Mail ann@example.org, password: hunter2, or call 555-0199")
    'Mail [e-mail], password: [secret], or call [number]'
    >>> withheld("On 2026-12-01 at 12:30, 3 of 12")
    'On 2026-12-01 at 12:30, 3 of 12'
    >>> withheld("Your code is 482913"), withheld("Postal code 10115"), withheld("Password is too short")
    ('Your code is [code]', 'Postal code 10115', 'Password is too short')
    """
    if len(text) < 3:
        return text
    text = _BEARER.sub("[secret]", text)
    text = _NAMED.sub(lambda m: f"{m['name']}{m['sign']}[secret]", text)
    text = _SAID.sub(lambda m: f"{m['name']}{m['sign']}[secret]", text)
    text = _ISSUED.sub("[secret]", text)
    text = re.sub(_EMAIL, "[e-mail]", text)
    if any(map(str.isdigit, text)):
        text = _numbers(text)
    return text


def _numbers(text: str) -> str:
    text = _IBAN.sub("[number]", text)
    text = re.sub(_KEY, "[secret]", text)
    text = _PIECES.sub("[secret]", text)
    text = _CODE.sub(lambda m: _code(m, f"{m['word']}{m['between']}[code]"), text)
    text = _CODE_LAST.sub(lambda m: _code(m, f"[code]{m['between']}{m['word']}"), text)
    text = _ENTRY.sub(lambda m: f"{m['word']}{m['between']}[code]", text)
    text = re.sub(_LONG, _number, text)
    return _SHORT.sub(lambda m: _number(m) if sum(c.isdigit() for c in m.group()) >= 7 else m.group(), text)


def _code(found: "re.Match[str]", instead: str) -> str:
    """Leave codes that open nothing: of places, errors, offers."""
    around = found.string[max(0, found.start() - 16) : found.end()]
    return found.group() if _OTHER_CODE.search(around) else instead


_DECIMAL = re.compile(r"\d+[.,]\d+|\d{1,3}(?:[ .,]\d{3})+(?:[.,]\d{1,2})?")
"""A measure, or a count of things: digits in threes."""


def _number(found: "re.Match[str]") -> str:
    plain = found.group().strip()
    if _DECIMAL.fullmatch(plain) and (plain.count(" ") == 0 or sum(map(str.isdigit, plain)) < 9):
        return found.group()
    return "[number]" + (" " if found.group()[-1].isspace() else "")


def private_parts(screen: Screen) -> tuple[Bounds, ...]:
    """Return the places of a screen that must not leave: filled secret fields, addresses, numbers."""
    found = (
        e.bounds
        for e in screen.visible()
        if (e.password and e.text) or any(withheld(t) != t for t in (e.text, e.description) if t)
    )
    return tuple(dict.fromkeys(found))
