import json
import signal
import subprocess
import sys
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.adapters.phone.client import Client
from waypost.cli.app import app

COMMAND = [sys.executable, "-m", "waypost", "phone", "pocket:clock", "--port", "0", "--json"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_phone_is_served_until_it_is_told_to_stop(number: signal.Signals) -> None:
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        said: dict[str, Any] = json.loads(process.stdout.readline())
        assert said["serial"] == f"127.0.0.1:{said['port']}"
        with Client(said["port"]) as client:
            assert client.shell("getprop ro.product.model; nosuch").out == "pocket:clock\n"
            client.open("shell:sleep 3600")
            process.send_signal(number)
            assert process.stdout.read() == b""
            assert process.stderr.read().splitlines() == [
                b"unknown command: 'nosuch'",
                b"the phone is switched off",
            ]
        assert process.wait() == 0


def test_a_taken_port_is_wrong_use_with_the_cure() -> None:
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        port = json.loads(process.stdout.readline())["port"]
        result = CliRunner().invoke(app, ["phone", "pocket", "--port", str(port), "--json"])
        process.terminate()
    assert result.exit_code == 2
    error = json.loads(result.stdout)["error"]
    assert error["message"] == (
        f"Port {port} on 127.0.0.1 is taken; choose another with --port, or 0 for any that is free"
    )


def test_a_phone_is_not_served_again_as_a_phone() -> None:
    result = CliRunner().invoke(app, ["phone", "adb:emulator-5554", "--json"])
    assert result.exit_code == 2
    assert "already" in json.loads(result.stdout)["error"]["message"]
