"""What the documents show is run: commands, programs and files, as they stand there."""

import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from tests.adapters.phone.client import served
from waypost.adapters.looks import read_looks
from waypost.adapters.pocket import PocketDevice
from waypost.bench import read_tasks
from waypost.cli.app import COMMANDS, app
from waypost.exploration import StartRecipe

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(path: Path, language: str) -> list[str]:
    return [body for name, body in BLOCK.findall(path.read_text(encoding="utf-8")) if name == language]


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in DOCUMENTS if _blocks(p, "console")], ids=lambda p: p.name)
def test_the_commands_of_a_document_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for body in _blocks(path, "console"):
        for line in body.splitlines():
            _, program, *words = shlex.split(line)
            assert program == "waypost"
            result = CliRunner().invoke(app, words)
            assert result.exit_code == 0, (line, result.output, result.exception)


@pytest.mark.slow
@pytest.mark.parametrize("path", [p for p in DOCUMENTS if _blocks(p, "python")], ids=lambda p: p.name)
def test_the_programs_of_a_document_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for body in _blocks(path, "python"):
        exec(compile(body, str(path), "exec"), {"__name__": "document"})


@pytest.mark.slow
@pytest.mark.adb
def test_the_adb_lines_of_the_documents_run(adb: str, tmp_path: Path) -> None:
    with served(PocketDevice()) as phone, socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
        ports = {"ANDROID_ADB_SERVER_PORT": port, "HOME": str(tmp_path), "ANDROID_SERIAL": phone.serial}
        probe.close()
        # The blocks that speak to a served phone; the others are for a phone at hand.
        blocks = [b for b in _blocks(ROOT / "docs" / "devices.md", "sh") if re.search(r"^adb ", b, re.M)]
        lines = [x for b in blocks for x in b.splitlines()]
        asked = [x.replace("127.0.0.1:5555", phone.serial) for x in lines if not x.endswith("&")]
        script = "\n".join(["set -euo pipefail", *asked])
        try:
            done = subprocess.run(
                ["bash", "-c", script],
                cwd=tmp_path,
                env={**os.environ, **ports},
                capture_output=True,
                check=False,
            )
            assert done.returncode == 0, done
            assert (tmp_path / "screen.png").read_bytes().startswith(b"\x89PNG")
        finally:
            subprocess.run(
                [adb, "kill-server"], env={**os.environ, **ports}, capture_output=True, check=False
            )


def test_the_look_of_the_documents_is_one(tmp_path: Path) -> None:
    (body,) = _blocks(ROOT / "docs" / "identity.md", "json")
    (tmp_path / "inbox.json").write_text(body)
    (screen,) = read_looks(tmp_path).screens.values()
    assert (screen.app, screen.activity) == ("org.example.mail", "org.example.mail.Inbox")
    assert [e.label for e in screen.visible() if e.label] == ["Inbox", "Search"]


def test_the_task_file_of_the_documents_is_one(tmp_path: Path) -> None:
    (body,) = _blocks(ROOT / "docs" / "tasks.md", "yaml")
    (tmp_path / "tasks.yaml").write_text(body)
    assert len(read_tasks(tmp_path / "tasks.yaml").tasks) == 2


def test_the_recipe_of_the_documents_is_one() -> None:
    (body,) = _blocks(ROOT / "docs" / "devices.md", "yaml")
    recipe = StartRecipe.parse(yaml.safe_load(body), {"SHOP_PASSWORD": "x"})
    assert len(recipe.steps) == 4


def test_the_configuration_of_the_documents_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (body,) = _blocks(ROOT / "docs" / "configuration.md", "toml")
    (tmp_path / "config.toml").write_text(body)
    monkeypatch.setenv("WAYPOST_CONFIG", str(tmp_path / "config.toml"))
    told = CliRunner().invoke(app, ["config", "--json"])
    assert told.exit_code == 0, told.output
    assert '"--allow-host"' in told.stdout


def test_the_plugin_of_the_documents_is_the_one_that_is_tested() -> None:
    plugin = ROOT / "examples" / "plugin"
    (code,) = _blocks(ROOT / "docs" / "plugins.md", "python")
    assert code == (plugin / "src" / "waypost_example" / "matcher.py").read_text(encoding="utf-8")
    (table,) = _blocks(ROOT / "docs" / "plugins.md", "toml")
    assert table in (plugin / "pyproject.toml").read_text(encoding="utf-8")


def test_what_leaves_the_machine_is_said_of_every_command() -> None:
    text = (ROOT / "docs" / "privacy.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in text.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(COMMANDS)


def test_every_document_has_its_place_on_the_site() -> None:
    site = tomllib.loads((ROOT / "zensical.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"'([\w-]+\.md)'", repr(site["nav"]))
    assert sorted(named) == sorted(p.name for p in (ROOT / "docs").glob("*.md"))


@pytest.mark.slow
def test_the_site_is_built_and_asks_nobody_for_anything(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "zensical.toml", tmp_path)
    done = subprocess.run(
        [Path(sys.executable).with_name("zensical"), "build"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    told = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)
    # The schema of records lies in the package, not among the documents.
    assert [x for x in re.findall(r"\[ ([\w.-]+:\d+)", told) if not x.startswith("records.md")] == []
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    fetched = re.findall(r"<(?:script|img|link)[^>]+(?:src|href)=\"?(https?:[^\" >]+)", page)
    assert fetched == []
    assert (tmp_path / "site" / "plugins" / "index.html").is_file()


def test_every_link_of_a_document_leads_somewhere() -> None:
    for path in DOCUMENTS:
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"
