"""What `dumpsys` and its like print in, facts about the phone out: pure functions over text."""

import re
from dataclasses import dataclass

__all__ = [
    "Focus",
    "current_size",
    "focus",
    "input_method",
    "keyboard_up",
    "on_display",
    "rotation",
    "secure",
    "version",
    "wm_size",
]

_NAME = r"[\w.]+/[\w.$]+"
_WINDOW = re.compile(r"mCurrentFocus=Window\{([0-9a-f]+) (?:u\d+ )?([^\s}]+)")
_ACTIVITY = re.compile(
    r"(?:mFocusedApp|[tT]opResumedActivity|m?ResumedActivity|mFocusedActivity)\b[=: ]+"
    rf"(?:AppWindowToken\{{.*?)?ActivityRecord\{{[0-9a-f]+ (?:u\d+ )?({_NAME})"
)


@dataclass(frozen=True, slots=True)
class Focus:
    """Which window has the phone's attention."""

    package: str = ""
    activity: str = ""
    """In full, with its package."""
    window: str = ""
    """The window's token, as `dumpsys window` names it."""
    title: str = ""
    under: str = ""
    """Package of the app that a window of the system lies over; empty where the app's own is in front."""
    below: str = ""
    """That app's activity, in full."""


def focus(text: str) -> Focus | None:
    """Read the window in front; None where the text does not tell.

    >>> focus("  mCurrentFocus=Window{1f2 u0 org.app/.Main}").activity
    'org.app.Main'
    >>> said = "mCurrentFocus=Window{1f2 u0 android/.Crash} mFocusedApp=ActivityRecord{2 u0 org.app/.Main t1}"
    >>> focus(said).package, focus(said).under
    ('android', 'org.app')
    """
    windows = _WINDOW.findall(text)
    token, title = windows[-1] if windows else ("", "")
    apps = _ACTIVITY.findall(text)
    named = title if re.fullmatch(_NAME, title) else apps[0] if apps else ""
    if not named:
        return Focus(window=token, title=title) if title else None
    package, activity = _component(named)
    under, below = _component(apps[0]) if apps else ("", "")
    if under == package:
        under, below = "", ""
    return Focus(package, activity, token, title, under, below)


def _component(name: str) -> tuple[str, str]:
    package, _, activity = name.partition("/")
    return package, f"{package}{activity}" if activity.startswith(".") else activity


def rotation(text: str) -> int | None:
    """Read the rotation in quarter turns.

    >>> rotation("mCurrentRotation=ROTATION_90"), rotation("  mRotation=3 "), rotation("")
    (1, 3, None)
    """
    if found := re.search(r"mCurrentRotation=ROTATION_(\d+)", text):
        return int(found[1]) // 90 % 4
    found = re.search(r"\bmRotation=(\d)", text) or re.search(r"\borientation=(\d)\b", text)
    return int(found[1]) % 4 if found else None


def current_size(text: str) -> tuple[int, int] | None:
    """Read the display's size as it is turned now.

    >>> current_size("init=1080x2400 420dpi cur=2400x1080 app=2400x1017")
    (2400, 1080)
    """
    found = re.search(r"\bcur=(\d{2,5})x(\d{2,5})\b", text)
    return (int(found[1]), int(found[2])) if found else None


def wm_size(text: str) -> tuple[int, int] | None:
    r"""Read the unturned size that `wm size` prints; an override counts more.

    >>> wm_size("Physical size: 1440x3200\nOverride size: 1080x2400")
    (1080, 2400)
    """
    found = re.findall(r"(Physical|Override) size: (\d{2,5})x(\d{2,5})", text)
    return max(((k == "Override", (int(w), int(h))) for k, w, h in found), default=(False, None))[1]


def keyboard_up(text: str) -> bool | None:
    """Read whether a soft keyboard is up.

    >>> keyboard_up("mInputShown=true"), keyboard_up("mInputShown=false"), keyboard_up("")
    (True, False, None)
    """
    said = re.findall(r"\b(?:mInputShown|mIsInputViewShown)=(true|false)", text)
    return "true" in said if said else None


def input_method(text: str) -> str:
    """Read the id of the input method in use.

    >>> input_method("  mCurMethodId=org.keys/.Service mCurSeq=1")
    'org.keys/.Service'
    """
    found = re.search(rf"\b(?:mCurMethodId|mCurId|mSelectedMethodId)=({_NAME})", text)
    return found[1] if found else ""


def version(text: str) -> str:
    r"""Read an app's version from `dumpsys package`, name and code.

    >>> version("    versionCode=42 minSdk=21\n    versionName=1.2.3")
    '1.2.3 (42)'
    """
    name = re.search(r"\bversionName=(\S+)", text)
    code = re.search(r"\bversionCode=(\d+)", text)
    return " ".join(filter(None, (name and name[1], code and f"({code[1]})")))


def secure(text: str, window: str) -> bool:
    r"""Read from `dumpsys window windows` whether a window forbids pictures of itself.

    >>> secure("Window #1 Window{ab u0 x}:\n  mAttrs={fl=SECURE 81}\nWindow #2 Window{cd u0 y}:", "ab")
    True
    """
    blocks = re.split(r"(?m)^\s*Window #\d+ ", text)
    for block in blocks:
        if not window or not block.startswith(f"Window{{{window} "):
            continue
        if re.search(r"\bfl=[^\n]*\bSECURE\b", block):
            return True
        bits = re.search(r"\bfl=#?([0-9a-f]{4,8})\b", block)
        return bool(bits) and bool(int(bits[1] if bits else "0", 16) & 0x2000)
    return False


def on_display(text: str) -> str:
    r"""Read from `dumpsys display` the physical id of the display that is on; empty where only one is there.

    >>> on_display('DisplayDeviceInfo{"in": uniqueId="local:11", state OFF}'
    ...            '\nDisplayDeviceInfo{"out": uniqueId="local:22", state ON}')
    '22'
    """
    found = re.findall(r'DisplayDeviceInfo\{[^\n]*?uniqueId="local:(\d+)"[^\n]*?\bstate (\w+)', text)
    ids = {number for number, _ in found}
    return next((n for n, state in found if state == "ON"), "") if len(ids) > 1 else ""
