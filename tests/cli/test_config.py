"""One configuration file: flags before the environment, the environment before the file, then the default."""

import tomllib
from pathlib import Path

import pytest

from tests.cli.calling import called, called_json
from waypost.parts.configuring import TEMPLATE


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config" / "waypost" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def _set(command: str, option: str) -> tuple[object, str]:
    rows = called_json("config", command)["settings"]
    return next((r["value"], r["source"]) for r in rows if r["option"] == option and r["command"] == command)


def test_a_flag_counts_before_the_environment_before_the_file_before_the_default(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = ("plan", "pocket-clock", "--visit", "Timer")
    called("map", "get", "pocket-clock")
    assert _set("plan", "--hops") == (None, "default")
    called(*one)
    config.write_text("[plan]\nhops = 0\n")
    assert _set("plan", "--hops") == (0, "file")
    called(*one, code=1)
    monkeypatch.setenv("WAYPOST_PLAN_HOPS", "3")
    assert _set("plan", "--hops") == ("3", "environment")
    called(*one)
    called(*one, "--hops", "0", code=1)


def test_a_section_counts_before_the_one_for_all(config: Path) -> None:
    config.write_text("[all]\nseed = 3\n[go]\nseed = 4\n[identity.score]\nactions = 10\n")
    assert _set("go", "--seed") == (4, "file")
    assert _set("bench", "--seed") == (3, "file")
    set_rows = called_json("config")["settings"]
    assert ("identity score", "--actions", 10) in {(r["command"], r["option"], r["value"]) for r in set_rows}
    assert all(r["source"] == "file" for r in set_rows)


@pytest.mark.parametrize(
    ("text", "command", "said"),
    [
        ("[explroe]\nseed = 1\n", ("config",), "did you mean 'explore'?"),
        ("[explore]\nbudget-action = 1\n", ("pages", "m"), ""),
        ("[explore]\nbudget-action = 1\n", ("explore", "pocket:clock"), "did you mean 'budget-actions'?"),
        ("[explore]\nbudget-actions = 'x'\n", ("explore", "pocket:clock"), "[explore] budget-actions:"),
        ("[explore]\nbudget-actions = 0\n", ("config",), "[explore] budget-actions:"),
        ("[explore]\nseed = [1, 2]\n", ("config",), "takes one value"),
        ("[all]\nsede = 1\n", ("config",), "did you mean 'seed'?"),
        ("seed = 1\n", ("go", "m", "x"), "stands in no section"),
        ("[explore\n", ("find", "m", "x"), "is not TOML: Expected"),
    ],
)
def test_what_is_wrong_in_the_file_is_told_with_its_place(
    config: Path, text: str, command: tuple[str, ...], said: str
) -> None:
    config.write_text(text)
    told = called_json(*command, code=2)["error"]["message"]
    assert said in told
    assert (str(config) in told) == bool(said)  # Other commands do not mind.


def test_a_file_that_is_named_and_not_there_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYPOST_CONFIG", str(tmp_path / "none.toml"))
    assert "which WAYPOST_CONFIG names" in called_json("pages", "m", code=2)["error"]["message"]


def test_a_list_may_be_one_value_and_a_path_may_begin_at_home(config: Path) -> None:
    config.write_text('[explore]\nallow-host = "cdn.example.org"\nstorage-state = "~/state.json"\n')
    assert _set("explore", "--allow-host") == (["cdn.example.org"], "file")
    assert _set("explore", "--storage-state") == (str(Path.home() / "state.json"), "file")


def test_the_model_of_the_file_is_that_of_actors(config: Path) -> None:
    config.write_text('[all]\nmodel = "tiny"\nbase-url = "nowhere"\n')
    called("map", "get", "pocket-clock")
    told = called_json("go", "pocket-clock", "the timer", "--actor", "vision", code=2)["error"]["message"]
    assert "'nowhere' is no address of a model" in told


def test_the_key_of_a_model_is_never_shown(config: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYPOST_LLM_KEY", "sk-secret")
    assert "sk-secret" not in called("config", "--every") + called("config", "--every", "--json")
    assert called_json("config")["key"]["set"] is True


def test_init_writes_a_file_that_can_be_filled_in_and_leaves_one_alone(config: Path) -> None:
    assert called_json("init")["written"] is True
    assert config.read_text() == TEMPLATE
    config.write_text("[all]\nseed = 5\n")
    assert called_json("init")["written"] is False
    assert "seed = 5" in config.read_text()
    # Every line of it that is a setting is one, once its mark is taken away.
    filled = "\n".join(
        line.removeprefix("# ") if " = " in line and not line.startswith("# file") else line
        for line in TEMPLATE.splitlines()
    )
    assert {"all", "explore", "view", "serve"} == set(tomllib.loads(filled))
    config.write_text(filled)
    assert {(r["command"], r["option"]) for r in called_json("config")["settings"]} >= {
        ("distil", "--model"),
        ("explore", "--budget-minutes"),
        ("view", "--port"),
        ("serve", "--upstream"),
    }


def test_doctor_prints_commands_and_runs_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name in ("apt-get", "sudo"):
        (tools / name).write_text("#!/bin/sh\nexit 9\n")
        (tools / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    said = called("doctor", "--fix")
    assert "apt-get install -y adb\n" in said
    assert "# adb: no adb\n" in said
    missing = [c for c in called_json("doctor")["checks"] if not c["ok"]]
    assert {"adb"} <= {c["part"] for c in missing}
    for line in said.splitlines():
        assert line.startswith(("#", "sudo ", "apt-get ", "/")), line
