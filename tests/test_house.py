"""The rules of the house that a machine can check."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = (
    "numpy",
    "PIL",
    "adbutils",
    "onnxruntime",
    "playwright",
    "rustworkx",
    "networkx",
    "openai",
    "typer",
    "yaml",
    "sqlite3",
)
EXTRAS = ("adbutils", "androguard", "loguru", "mcp", "networkx", "openai", "playwright", "uiautomator2")
"""What a command imports where it needs it: whoever did not install it has all the other commands."""


def _tracked(*patterns: str) -> list[Path]:
    found = subprocess.run(
        ["git", "ls-files", "-z", *patterns], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if found.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in found.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_importing_waypost_loads_nothing_heavy() -> None:
    code = f"import sys, waypost; print([m for m in {HEAVY!r} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_the_command_line_starts_without_the_sdk_of_any_extra() -> None:
    code = f"""
import sys
from waypost.cli.app import COMMANDS, command
for name in COMMANDS:
    command(name)
print([m for m in {EXTRAS!r} if m in sys.modules])
"""
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_no_file_of_code_is_longer_than_400_lines() -> None:
    long = {
        p.name: n for p in _tracked("*.py", "*.js") if (n := len(p.read_text("utf-8").splitlines())) > 400
    }
    assert not long


def test_no_file_names_the_host_of_a_package_index() -> None:
    hosts = ("py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "registry." + "npm")
    named = [
        p.name
        for p in _tracked()
        if p.suffix not in (".png", ".onnx")
        and any(h in p.read_text("utf-8", errors="ignore") for h in hosts)
    ]
    assert not named


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(p.relative_to(ROOT))
        for p in _tracked("src/*.py")
        if p.stat().st_size and not p.read_text("utf-8").startswith('"""')
    ]
    assert not silent
