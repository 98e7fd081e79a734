"""Measure steps directly and over adb side by side: a device in, steps a second and where the time goes out.

    python benchmarks/adb_speed.py pocket:mail --seconds 20
    python benchmarks/adb_speed.py browser:http://127.0.0.1:5006/ --storage-state state.json --seconds 60

A step is one action and the look after it, without pixels. The same seeded random tapper drives both: the
device itself, and the same kind of device served by `waypost phone` in a process of its own, through Debian's
adb with a server of its own. Hazards are not known here: use a throw-away app.
"""

import argparse
import contextlib
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from waypost.adapters.android import AdbShell, AndroidDevice
from waypost.errors import DeviceError
from waypost.model import Action, Press, Screen, Swipe, Tap
from waypost.parts.devices import DeviceOptions, open_device, parse_device
from waypost.protocols import Device

NEVER = ("delete", "remove", "log out", "reset", "close budget", "restart", "import", "export", "switch file")


class TimedShell(AdbShell):
    """Counts the seconds that each kind of command takes, from asking to the last byte of the answer."""

    def __init__(self, serial: str, *, host: str, port: int) -> None:
        super().__init__(serial, host=host, port=port)
        self.spent: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.counts = False

    def run(self, *commands: Sequence[str], seconds: float = 20.0) -> bytes:
        began = time.perf_counter()
        try:
            return super().run(*commands, seconds=seconds)
        finally:
            kind = {"uiautomator": "the tree", "input": "the gesture"}.get(commands[0][0], "what is in front")
            if commands[0][:2] == ["dumpsys", "activity"]:
                kind = "the address"
            self.spent[kind] += (time.perf_counter() - began) * self.counts
            self.asked[kind] += self.counts


def choose(screen: Screen, dice: random.Random) -> Action:
    """Pick mostly a tap, sometimes a swipe or back."""
    roll = dice.random()
    spots = [
        e.bounds.center
        for e in screen.visible()
        if e.clickable and e.enabled and not any(n in e.label.lower() for n in NEVER)
    ]
    if roll < 0.1 or not spots:
        return Press("back") if roll < 0.05 or not spots else Swipe()
    return Tap(dice.choice(spots))


def walk(device: Device, seconds: float, seed: int, shell: TimedShell | None = None) -> tuple[int, float]:
    """Tap about for a while; returns steps and the seconds that they took. Restarts are not counted."""
    dice, steps, spent = random.Random(seed), 0, 0.0
    device.restart()
    screen = device.observe().screen
    home = screen.app
    while spent < seconds:
        if screen.app != home:
            device.restart()
            screen = device.observe().screen
            continue
        action = choose(screen, dice)
        if shell is not None:
            shell.counts = True
        began = time.perf_counter()
        with contextlib.suppress(DeviceError):
            device.perform(action)
        screen = device.observe().screen
        spent += time.perf_counter() - began
        if shell is not None:
            shell.counts = False
        steps += 1
    return steps, spent


@contextlib.contextmanager
def over_adb(name: str, state: Path | None) -> Iterator[TimedShell]:
    """Serve a device in a process of its own, and connect the real adb to it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        server = probe.getsockname()[1]
    words = [sys.executable, "-m", "waypost", "phone", name, "--port", "0", "--json"]
    words += ["--storage-state", str(state)] if state else []
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "ANDROID_ADB_SERVER_PORT": str(server), "TMPDIR": home}
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as phone:
            assert phone.stdout is not None
            serial = json.loads(phone.stdout.readline())["serial"]
            try:
                subprocess.run(["adb", "connect", serial], env=env, check=True, capture_output=True)
                yield TimedShell(serial, host="127.0.0.1", port=server)
            finally:
                subprocess.run(["adb", "kill-server"], env=env, check=False, capture_output=True)
                phone.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("device")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--storage-state", type=Path)
    args = parser.parse_args()
    direct = open_device(parse_device(args.device), DeviceOptions(storage_state=args.storage_state))
    try:
        own_steps, own_spent = walk(direct, args.seconds, args.seed)
    finally:
        direct.close()
    with over_adb(args.device, args.storage_state) as shell, AndroidDevice(shell) as device:
        steps, spent = walk(device, args.seconds, args.seed, shell)
    here = spent - sum(shell.spent.values())
    parts = {**shell.spent, "reading and the rest, here": here}
    print(
        json.dumps(
            {
                "device": args.device,
                "direct_steps_per_second": round(own_steps / own_spent, 2),
                "adb_steps_per_second": round(steps / spent, 2),
                "direct_over_adb": round(own_steps / own_spent / (steps / spent), 2),
                "ms_a_step_over_adb": {k: round(1000 * v / steps, 1) for k, v in parts.items()},
                "share_of_a_step": {k: round(v / spent, 3) for k, v in parts.items()},
                "commands_a_step": {k: round(v / steps, 2) for k, v in shell.asked.items()},
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
