"""Find and start Chromium with a phone's profile: settings in, a Playwright context out."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from waypost.errors import DeviceError, UsageError

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright

__all__ = ["SCALE", "VIEWPORT", "BrowserConfig", "find_chromium", "open_context", "start_url"]

VIEWPORT = (360, 800)
"""CSS pixels; times SCALE exactly 1080 x 2400 device pixels."""
SCALE = 3
AGENT = (
    "Mozilla/5.0 (Linux; Android 14; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/131.0.0.0 Mobile Safari/537.36"
)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--no-pings",
    "--disable-features=Translate,MediaRouter,OptimizationHints,AutofillServerCommunication",
)
INSTALL = 'pip install "waypost[browser]"'
CHROMIUM = "apt install chromium, or: playwright install chromium"


@dataclass(frozen=True, slots=True)
class BrowserConfig:
    """How the browser is started; everything has a safe default."""

    storage_state: Path | None = None
    """Cookies, local storage and IndexedDB to start with, as `BrowserDevice.save_state` writes them."""
    init_script: Path | None = None
    """JavaScript that runs in every page before the page's own."""
    allow_hosts: tuple[str, ...] = ()
    """Further hosts that may be reached: `cdn.example.org`, `*.example.org`, `example.org:8080`."""
    cdp: str = ""
    """Address of a Chromium that is already running (`http://127.0.0.1:9222`): attach to its page."""
    profile_dir: Path | None = None
    """Folder of a lasting profile of our own; a fresh temporary one where None."""
    headless: bool = True
    executable: str = ""
    """Path of the browser to start; found by `find_chromium` where empty."""
    locale: str = "en-US"


def start_url(text: str) -> str:
    """Check the address of an app, and return it as the browser writes it.

    >>> start_url("http://127.0.0.1:5006")
    'http://127.0.0.1:5006/'
    >>> start_url("localhost:5006/app")
    'http://localhost:5006/app'
    """
    full = text.strip() if "://" in text else f"http://{text.strip()}"
    try:
        parts = urlsplit(full)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good or not text.strip() or any(c.isspace() for c in full):
        raise UsageError(f"{text!r} is not the address of a web app; write it like http://127.0.0.1:5006/")
    return full if parts.path else f"{full}/"


def find_chromium() -> str:
    """Return the path of a browser that can be started: Playwright's own, then those on PATH; else ''."""
    cache = os.environ.get("PLAYWRIGHT_BROWSERS_PATH", "")
    roots = (
        [Path(cache)]
        if cache
        else [Path.home() / ".cache/ms-playwright", Path.home() / "Library/Caches/ms-playwright"]
    )
    for root in roots:
        for pattern in (
            "chromium-*/chrome-linux*/chrome",
            "chromium-*/chrome-mac*/*.app/Contents/MacOS/Chromium",
        ):
            for found in sorted(root.glob(pattern), reverse=True):
                if os.access(found, os.X_OK):
                    return str(found)
    for name in NAMES:
        on_path = shutil.which(name)
        if on_path:
            return on_path
    return ""


def check(config: BrowserConfig) -> None:
    """Refuse settings that contradict each other or would touch the user's own browser."""
    if config.profile_dir is not None and config.storage_state is not None:
        raise UsageError("Give a profile folder or a storage state, not both: a profile keeps its own state")
    if config.cdp and (config.profile_dir is not None or config.storage_state is not None):
        raise UsageError(
            "A browser that is attached to keeps its own state: leave out profile and storage state"
        )
    for what, path in (("storage state", config.storage_state), ("init script", config.init_script)):
        if path is not None and not path.is_file():
            raise UsageError(f"There is no {what} at {str(path)!r}")
    if config.profile_dir is not None:
        where = config.profile_dir.expanduser().resolve()
        home = Path.home()
        own = [home / ".config" / n for n in ("chromium", "google-chrome", "microsoft-edge", "BraveSoftware")]
        own += [home / "Library/Application Support" / n for n in ("Google/Chrome", "Chromium")]
        if any(where == o or o in where.parents or where in o.parents for o in own):
            raise UsageError(f"{str(where)!r} belongs to your own browser; name a folder of its own")


async def open_context(
    play: "Playwright", config: BrowserConfig, rules: str
) -> "tuple[Browser | None, BrowserContext]":
    """Start Chromium and return it with a context that looks like a phone; `rules` name what it may reach."""
    executable = config.executable or find_chromium()
    if not executable:
        raise DeviceError(f"No Chromium was found; {CHROMIUM}")
    if not Path(executable).exists() and not shutil.which(executable):
        raise DeviceError(f"There is no browser at {executable!r}; {CHROMIUM}")
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    look: dict[str, Any] = {
        "viewport": {"width": VIEWPORT[0], "height": VIEWPORT[1]},
        "screen": {"width": VIEWPORT[0], "height": VIEWPORT[1]},
        "device_scale_factor": SCALE,
        "is_mobile": True,
        "has_touch": True,
        "user_agent": AGENT,
        "locale": config.locale,
        "service_workers": "block",
        "accept_downloads": False,
    }
    start: dict[str, Any] = {
        "executable_path": executable,
        "headless": config.headless,
        "args": [*FLAGS, f"--host-resolver-rules={rules}"],
        "chromium_sandbox": not root,
    }
    if config.profile_dir is not None:
        folder = config.profile_dir.expanduser()
        folder.mkdir(parents=True, exist_ok=True)
        return None, await play.chromium.launch_persistent_context(str(folder), **start, **look)
    browser = await play.chromium.launch(**start)
    if config.storage_state is not None:
        look["storage_state"] = str(config.storage_state)
    return browser, await browser.new_context(**look)
