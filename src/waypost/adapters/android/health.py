"""What keeps phones from being driven: an adb server's address in, signs and cures out. Starts nothing."""

import re
import socket
from dataclasses import dataclass

from waypost.adapters.android.shell import AdbShell, Shell
from waypost.adapters.android.typist import KEYBOARDS
from waypost.errors import DeviceError

__all__ = ["Sign", "examined", "phones"]

PORT = 5037

_STATES = {
    "unauthorized": "confirm the dialog on the phone; if none comes, plug the phone in again",
    "authorizing": "confirm the dialog on the phone",
    "offline": "plug it in again, or: adb reconnect offline",
    "no permissions": "give your user access to USB (udev rules), then: adb kill-server",
    "recovery": "start the phone into Android",
    "sideload": "start the phone into Android",
    "bootloader": "start the phone into Android",
}
_RIVALS = (
    (r"com\.wetest\.uia2|com\.github\.uiautomator|u2\.jar", "uiautomator2"),
    (r"io\.appium\.uiautomator2", "Appium"),
    (r"dev\.mobile\.maestro", "Maestro"),
    (r"androidx\.test|android\.support\.test|instrumentation", "an instrumented test"),
    (r"uiautomator", "a uiautomator run"),
)
"""Programs that hold UiAutomation, by how their processes are called; the first that fits names it."""


@dataclass(frozen=True, slots=True)
class Sign:
    part: str
    ok: bool
    found: str
    cure: str = ""


def phones(host: str = "127.0.0.1", port: int = PORT) -> list[Sign]:
    """Ask a running adb server for its phones, and each phone for what stands in the way."""
    try:
        listed = _asked(host, port, "host:devices-l")
    except OSError:
        return [Sign("adb server", False, f"none answers at {host}:{port}", "adb start-server")]
    signs = [Sign("adb server", True, f"answers at {host}:{port}")]
    rows = [row.split(None, 1) for row in listed.splitlines() if row.strip()]
    if not rows:
        cure = "plug a phone in and allow USB debugging, or: adb connect HOST:PORT"
        signs.append(Sign("phone", False, "no phone is connected", cure))
    for serial, rest in (r if len(r) == 2 else [*r, ""] for r in rows):
        state = next((s for s in _STATES if rest.startswith(s)), rest.split(" ")[0])
        if state == "device":
            signs += _guarded(AdbShell(serial, host=host, port=port))
        else:
            signs.append(Sign(f"phone {serial}", False, state, _STATES.get(state, "adb reconnect")))
    return signs


def _asked(host: str, port: int, question: str) -> str:
    """Ask an adb server one thing. OSError where none answers: unlike adb's own clients, this starts none."""
    with socket.create_connection((host, port), timeout=3.0) as wire:
        wire.sendall(f"{len(question):04x}{question}".encode())
        with wire.makefile("rb") as answer:
            if answer.read(4) != b"OKAY":
                raise OSError("what answers there is no adb server")
            size = answer.read(4)
            if not re.fullmatch(rb"[0-9a-fA-F]{4}", size):
                raise OSError("what answers there is no adb server")
            return answer.read(int(size, 16)).decode("utf-8", errors="replace")


def _guarded(shell: Shell) -> list[Sign]:
    try:
        return examined(shell)
    except DeviceError as e:
        return [Sign(f"phone {shell.serial}", False, str(e), "adb reconnect")]


def examined(shell: Shell) -> list[Sign]:
    """Ask one phone; changes nothing on it."""

    def said(*words: str) -> str:
        return shell.run(list(words)).decode("utf-8", errors="replace")

    name = f"phone {shell.serial}"
    model, release = said("getprop", "ro.product.model").strip(), said("getprop", "ro.build.version.release")
    signs = [Sign(name, True, f"{model or 'a phone'}, Android {release.strip() or 'of unknown version'}")]
    signs.append(_screen(name, said("dumpsys", "power"), said("dumpsys", "window", "policy")))
    signs.append(_keyboards(name, said("ime", "list", "-s", "-a").split()))
    signs.append(
        _rival(
            name,
            said("dumpsys", "accessibility"),
            said("ps", "-A", "-o", "ARGS"),
            said("settings", "get", "secure", "enabled_accessibility_services").strip(),
        )
    )
    return signs


def _screen(name: str, power: str, policy: str) -> Sign:
    part = f"{name}: screen"
    if re.search(r"mWakefulness=(Asleep|Dozing)|Display Power: state=OFF", power):
        return Sign(part, False, "off", "switch the screen on, and let it stay awake while charging")
    locked = r"(mShowingLockscreen|mDreamingLockscreen|mIsShowing|isKeyguardShowing|showing)=true"
    if re.search(locked, policy):
        return Sign(part, False, "locked", "unlock the phone, or switch its lock off while it is driven")
    return Sign(part, True, "on and unlocked")


def _keyboards(name: str, listed: list[str]) -> Sign:
    part = f"{name}: typing"
    known = [k.id for k in KEYBOARDS if k.id in listed]
    if known:
        return Sign(part, True, f"any script, by {known[0]}")
    cure = f"install an input method that adb can write to, e.g. {KEYBOARDS[0].id.partition('/')[0]}"
    return Sign(part, False, "ASCII only: no input method takes text from adb", cure)


def _rival(name: str, accessibility: str, processes: str, services: str) -> Sign:
    part = f"{name}: screen reading"
    held = re.search(
        r"Ui ?Automation\[|mUiAutomationService(?!\w*[=:] ?null)|uiAutomation=true", accessibility
    )
    rival = next((who for pattern, who in _RIVALS if re.search(pattern, processes)), "")
    if rival or held:
        who = rival or "another program"
        return Sign(
            part, False, f"{who} holds UiAutomation", f"stop {who}; only one can read the screen at a time"
        )
    on = [s for s in services.split(":") if "/" in s]
    if on:
        found = f"free; a dump suspends {len(on)} accessibility services while it lasts ({on[0][:80]})"
        return Sign(
            part, True, found, "do not run an agent that reads by an accessibility service beside Waypost"
        )
    return Sign(part, True, "free")
