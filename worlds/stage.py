"""Install, seed, start and stop a real web app: what `worlds/NAME/run` shares. Standard library only."""

import argparse
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

__all__ = ["World", "cache_of", "fail", "main", "npm_install", "pip_install", "say", "tool"]

PATIENCE = 90.0
"""Seconds that a world may take to answer for the first time."""


@dataclass(frozen=True, slots=True)
class World:
    """What is particular to one app; all of it works on one folder, the world's cache."""

    name: str
    port: int
    install: Callable[[Path], None]
    """Put the pinned app into the cache; does nothing where it is there."""
    reset: Callable[[Path, int], None]
    """Put the data into the seeded state, for this port; makes the seed where there is none."""
    command: Callable[[Path, int], list[str]]
    """The server, as a command that stays in the foreground."""
    start: str = "/"
    """Path of the start page."""
    state: str = ""
    """File in the cache to hand to `--storage-state`; empty where none is needed."""
    address: str = "http://127.0.0.1:{port}"
    ready: Callable[[int], bool] | None = None
    """Whether what is no web server answers on a port."""
    patience: float = PATIENCE


def say(text: str) -> None:
    """Tell the person how it goes on."""
    print(text, file=sys.stderr, flush=True)


def fail(text: str) -> NoReturn:
    """End with a message that names the cure."""
    say(f"error: {text}")
    raise SystemExit(1)


def tool(name: str, cure: str) -> str:
    """Return the path of a program, or end with the cure."""
    path = shutil.which(name)
    if path is None:
        fail(f"{name} is missing; {cure}")
    return path


def cache_of(name: str) -> Path:
    """Return the folder that a world keeps all its things in."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "waypost" / "worlds" / name


def pip_install(cache: Path, requirements: Path) -> None:
    """Make a private environment with exactly what the hash-locked file lists."""
    done = cache / "installed.txt"
    wanted = requirements.read_text(encoding="utf-8")
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return
    say(f"Installing Python packages for {requirements.parent.name} into {cache} ...")
    shutil.rmtree(cache / "venv", ignore_errors=True)
    cache.mkdir(parents=True, exist_ok=True)
    made = subprocess.run([sys.executable, "-m", "venv", str(cache / "venv")], check=False)
    if made.returncode:
        fail("could not make a virtual environment; apt install python3-venv")
    pip = [str(cache / "venv/bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*pip, "--require-hashes", "-r", str(requirements)], check=False).returncode:
        fail("the packages could not be installed; check the network, then run this again")
    done.write_text(wanted, encoding="utf-8")


def npm_install(cache: Path, here: Path) -> None:
    """Put exactly the packages that the lock file beside a world's `run` lists into its cache."""
    done, wanted = cache / "package-lock.json", here / "package-lock.json"
    if (cache / "node_modules").is_dir() and done.is_file() and done.read_bytes() == wanted.read_bytes():
        return
    npm = tool("npm", "apt install npm, or see nodejs.org")
    cache.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(here / name, cache / name)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    if subprocess.run(command, cwd=cache, stdout=sys.stderr, check=False).returncode:
        done.unlink(missing_ok=True)
        fail("npm could not install the package; check the network, then run this again")


def main(world: World, arguments: list[str]) -> None:
    """Do what the command line of `worlds/NAME/run` asks."""
    parser = argparse.ArgumentParser(
        prog=f"worlds/{world.name}/run", description="Start the app on loopback."
    )
    parser.add_argument("--port", type=int, default=world.port, help=f"default {world.port}")
    parser.add_argument("--cache", type=Path, default=cache_of(world.name), help="default %(default)s")
    verbs = parser.add_mutually_exclusive_group()
    verbs.add_argument("--background", action="store_true", help="start, print the address, and return")
    verbs.add_argument("--stop", action="store_true", help="stop what --background started")
    verbs.add_argument("--install", action="store_true", help="install and seed only")
    verbs.add_argument("--reset", action="store_true", help="go back to the seeded state, then return")
    asked = parser.parse_args(arguments)
    cache: Path = asked.cache.expanduser().resolve()
    if asked.stop:
        _stop(cache)
        return
    world.install(cache)
    if asked.reset and _running(cache):
        fail(f"{world.name} is running; stop it first: worlds/{world.name}/run --stop")
    if not _running(cache):
        world.reset(cache, asked.port)
    if not (asked.install or asked.reset):
        _start(world, cache, asked.port, background=asked.background)


def _start(world: World, cache: Path, port: int, *, background: bool) -> None:
    url = world.address.format(port=port)
    answers = partial(world.ready, port) if world.ready else partial(_answers, url + world.start)
    wait = partial(_wait, answers=answers, log=cache / "server.log", patience=world.patience)
    if _running(cache):
        if background and _recorded(cache)[1] == port:
            wait(lambda: _running(cache))
            _announce(world, cache, url)
            return
        fail(f"{world.name} is running already; stop it first: worlds/{world.name}/run --stop")
    if not _free(port):
        fail(f"port {port} is taken; choose another: --port {port + 1}")
    with (cache / "server.log").open("wb") as log:
        server = subprocess.Popen(
            world.command(cache, port),
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    (cache / "server.pid").write_text(f"{server.pid} {port}", encoding="utf-8")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    stays = False
    try:
        wait(lambda: server.poll() is None)
        _announce(world, cache, url)
        stays = background
        if not background:
            say("Ctrl-C stops it.")
            server.wait()
            fail(f"the server ended by itself; see {cache / 'server.log'}")
    except KeyboardInterrupt:
        say("Stopped.")
    finally:
        if not stays:
            _stop(cache)


def _announce(world: World, cache: Path, url: str) -> None:
    if world.state:
        say(f"--storage-state {cache / world.state}")
    print(url + world.start, flush=True)


def _wait(alive: Callable[[], object], *, answers: Callable[[], bool], log: Path, patience: float) -> None:
    until = time.monotonic() + patience
    while time.monotonic() < until and alive():
        if answers():
            return
        time.sleep(0.2)
    fail(f"the server did not come up; see {log}")


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def _free(port: int) -> bool:
    with socket.socket() as s:
        s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            s.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _recorded(cache: Path) -> tuple[int, int]:
    """Return process id and port of the server that was started last; zeros where none is known."""
    try:
        pid, port = (cache / "server.pid").read_text(encoding="utf-8").split()
        return int(pid), int(port)
    except (OSError, ValueError):
        return 0, 0


def _running(cache: Path) -> int:
    """Return the process id of the world's server, 0 where none runs."""
    pid, _ = _recorded(cache)
    try:
        if not pid:
            return 0
        os.kill(pid, 0)
        # A number that another program has by now is not ours.
        return pid if str(cache).encode() in Path(f"/proc/{pid}/cmdline").read_bytes() else 0
    except ProcessLookupError:
        return 0
    except OSError:
        return pid  # There is no /proc here: believe the number.


def _stop(cache: Path) -> None:
    pid = _running(cache)
    if pid:
        os.killpg(pid, signal.SIGTERM)
        for _ in range(50):
            _reap(pid)
            if not _running(cache):
                break
            time.sleep(0.1)
        else:
            os.killpg(pid, signal.SIGKILL)
    (cache / "server.pid").unlink(missing_ok=True)


def _reap(pid: int) -> None:
    # Started by an earlier command: not ours to wait for.
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
