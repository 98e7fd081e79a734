"""What the documents show is run: commands, programs and files, as they stand there."""

import os
import re
import shlex
import socket
import subprocess
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from tests.adapters.phone.client import served
from waypost.adapters.looks import read_looks
from waypost.adapters.pocket import PocketDevice
from waypost.bench import read_tasks
from waypost.cli.app import app
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


def test_every_link_of_a_document_leads_somewhere() -> None:
    for path in DOCUMENTS:
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"
