"""Questions to a phone that change nothing: a shell in, its state and its profile out."""

from dataclasses import dataclass

from waypost.adapters.android import state as reading
from waypost.adapters.android.shell import Shell
from waypost.adapters.android.state import Focus
from waypost.adapters.android.web import WebPage, may_serve, web_page

__all__ = ["Phone", "Profile", "State"]

_USUAL = (1080, 2400)
_WINDOWS = (["dumpsys", "window", "displays"], ["dumpsys", "window", "windows"], ["dumpsys", "window"])
"""Where the focus is told differs by version; the first that tells it is asked from then on."""
_ACTIVITIES = ["dumpsys", "activity", "activities"]


@dataclass(frozen=True, slots=True)
class State:
    """What a phone shows, as far as the system tells it without the tree."""

    focus: Focus = Focus()
    size: tuple[int, int] = _USUAL
    """As it is turned now, in pixels."""
    rotation: int = 0
    keyboard: bool = False
    ime: str = ""
    """Package of the input method in use."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What kind of phone it is."""

    model: str = ""
    release: str = ""
    """Android's version, as users know it."""
    sdk: int = 0
    size: tuple[int, int] = _USUAL
    """Upright, in pixels."""
    density: int = 0
    locale: str = ""
    posture: str = ""
    """How a foldable is folded; empty for other phones."""

    def __str__(self) -> str:
        parts = (
            self.model,
            f"Android {self.release}" if self.release else "",
            f"{self.size[0]}x{self.size[1]}",
            f"{self.density}dpi" if self.density else "",
            self.locale,
            self.posture,
        )
        return ", ".join(p for p in parts if p)


class Phone:
    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._windows: list[str] | None = None
        self._profile: Profile | None = None
        self._upright: tuple[int, int] | None = None

    def state(self) -> State:
        """Ask what is in front, how the screen is turned, and whether a keyboard is up."""
        ways = (self._windows,) if self._windows is not None else _WINDOWS
        text, seen = "", None
        for way in ways:
            text = self._text(way, ["dumpsys", "input_method"])
            seen = reading.focus(text)
            if seen is not None and seen.package:
                self._windows = way
                break
        if seen is None or not seen.package:
            text += self._text(_ACTIVITIES)
            seen = reading.focus(text) or Focus()
        turned = reading.rotation(text)
        return State(
            focus=seen,
            size=reading.current_size(text) or self._turned_size(turned or 0),
            rotation=turned or 0,
            keyboard=bool(reading.keyboard_up(text)),
            ime=reading.input_method(text).partition("/")[0],
        )

    def web_page(self, package: str) -> WebPage | None:
        """Ask where a web app is that is served as the app `package`; None where that is not so."""
        return web_page(self._text(_ACTIVITIES), package) if may_serve(package) else None

    def _turned_size(self, turned: int) -> tuple[int, int]:
        if self._upright is None:
            self._upright = reading.wm_size(self._text(["wm", "size"])) or _USUAL
        width, height = self._upright
        return (height, width) if turned % 2 else (width, height)

    def profile(self) -> Profile:
        """Ask what phone it is; once."""
        if self._profile is None:
            keys = ("ro.product.model", "ro.build.version.release", "ro.build.version.sdk")
            model, release, sdk = (self._text(["getprop", k]).strip() for k in keys)
            locale = self._text(["getprop", "persist.sys.locale"]).strip()
            density = self._text(["wm", "density"]).rpartition(":")[2].strip()
            posture = self._text(["cmd", "device_state", "print-state"]).strip()
            self._profile = Profile(
                model=model[:80],
                release=release[:20],
                sdk=int(sdk) if sdk.isdigit() else 0,
                size=reading.wm_size(self._text(["wm", "size"])) or _USUAL,
                density=int(density) if density.isdigit() else 0,
                locale=locale[:20] if locale.isprintable() else "",
                posture=f"posture {posture}" if posture.isdigit() else "",
            )
        return self._profile

    def app_version(self, package: str) -> str:
        return reading.version(self._text(["dumpsys", "package", package]))

    def _text(self, *commands: list[str]) -> str:
        return self._shell.run(*commands).decode("utf-8", errors="replace")
