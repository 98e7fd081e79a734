"""A served phone under Debian's real adb, with a server of its own on a port of its own."""

import gc
import io
import os
import subprocess
import urllib.request
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from tests.adapters.phone.client import centre, node
from tests.adapters.phone.real_adb import Adb, connected
from waypost.adapters.phone import Phone

pytestmark = pytest.mark.adb


@pytest.fixture
def real(server: Adb, phone: Phone) -> Iterator[Adb]:
    with connected(server, phone) as real:
        yield real


def _tree(real: Adb) -> ET.Element:
    text = real.out("exec-out", "uiautomator", "dump", "/dev/tty")
    return ET.fromstring(text[: text.rindex("</hierarchy>") + 12])


def test_adb_lists_the_phone_with_its_model(real: Adb) -> None:
    line = next(x for x in real.out("devices", "-l").splitlines() if real.serial in x)
    assert line.split()[1:5] == ["device", "product:waypost", "model:pocket", "device:waypost"]
    assert real.out("get-state") == "device\n"


def test_adb_shell_tells_output_complaint_and_code_apart(real: Adb) -> None:
    done = real("shell", "echo out; nosuch; exit 3")
    assert done.returncode == 3
    assert done.stdout == b"out\n"
    assert done.stderr == b"/system/bin/sh: nosuch: inaccessible or not found\n"


def test_adb_shell_in_a_terminal_prompts(real: Adb) -> None:
    done = real("shell", "-tt", input=b"echo hi\nexit\n")
    assert b"waypost:/ $ " in done.stdout
    assert b"hi\r\n" in done.stdout


def test_adb_takes_a_screenshot_that_opens(real: Adb) -> None:
    image = Image.open(io.BytesIO(real("exec-out", "screencap", "-p").stdout))
    image.load()
    assert (image.format, image.size) == ("PNG", (1080, 2400))


def test_adb_dumps_to_the_terminal_and_pulls_the_file(real: Adb, tmp_path: Path) -> None:
    shown = real.out("shell", "uiautomator", "dump", "/dev/tty")
    assert shown.startswith("<?xml")
    assert shown.endswith("UI hierchary dumped to: /dev/tty\n")
    real.out("shell", "uiautomator", "dump", "/sdcard/w.xml")
    real.out("pull", "/sdcard/w.xml", str(tmp_path / "w.xml"))
    assert node(ET.parse(tmp_path / "w.xml").getroot(), text="Timer") is not None


def test_adb_pushes_and_pulls_what_it_pushed(real: Adb, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    (folder / "in").mkdir(parents=True)
    big = os.urandom(1_500_000)
    (folder / "big.bin").write_bytes(big)
    (folder / "in" / "é ü.txt").write_text("words")
    real.out("push", str(folder), "/sdcard/Download/")
    assert real.out("shell", "ls", "/sdcard/Download/all/in") == "é ü.txt\n"
    real.out("pull", "/sdcard/Download/all", str(tmp_path / "back"))
    assert (tmp_path / "back" / "big.bin").read_bytes() == big
    assert (tmp_path / "back" / "in" / "é ü.txt").read_text() == "words"
    gone = real("pull", "/sdcard/none", str(tmp_path / "none"))
    assert b"No such file" in gone.stdout + gone.stderr
    refused = real("push", str(folder / "big.bin"), "/system/x")
    assert b"Read-only" in refused.stdout + refused.stderr


def test_adb_install_is_refused_in_words(real: Adb, tmp_path: Path) -> None:
    apk = tmp_path / "a.apk"
    apk.write_bytes(b"PK" + bytes(300_000))
    done = real("install", str(apk))
    assert done.returncode != 0
    assert b"INSTALL_FAILED_USER_RESTRICTED" in done.stdout + done.stderr


def test_adb_forwards_a_port_of_the_phone(real: Adb, phone: Phone) -> None:
    phone.files.write("/data/local/tmp/u2.jar", b"a jar")
    start = "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
    with subprocess.Popen(real.command("shell", start), env=real.env, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert b"Starting Server" in process.stdout.readline()
        port = real.out("forward", "tcp:0", "tcp:9008").strip()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/ping", timeout=30) as answer:
            assert answer.read() == b"pong"
        real.out("forward", "--remove-all")
        process.kill()
    assert phone.server.quiet()
    assert phone.handset.listening(9008) is None


def test_adb_taps_and_types(real: Adb) -> None:
    x, y = centre(node(_tree(real), content_desc="New alarm"))
    real.out("shell", "input", "tap", str(x), str(y))
    field = next(n for n in _tree(real).iter("node") if "EditText" in n.get("class", ""))
    real.out("shell", "input", "tap", *map(str, centre(field)))
    real.out("shell", "input text 'wake%sup; rm -rf /sdcard'")
    field = next(n for n in _tree(real).iter("node") if "EditText" in n.get("class", ""))
    assert field.get("text") == "wake up; rm -rf /sdcard"
    assert real.out("shell", "ls", "-d", "/sdcard") == "/sdcard\n"


def test_several_adbs_at_once_are_all_answered(real: Adb) -> None:
    def ask(n: int) -> str:
        return real.out("shell", f"echo {n}; uiautomator dump /dev/null >/dev/null; echo done")

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, range(24))) == [f"{n}\ndone\n" for n in range(24)]


def test_a_killed_adb_leaves_nothing_behind(real: Adb, phone: Phone) -> None:
    command = real.command("shell", "echo begun; sleep 3600")
    with subprocess.Popen(command, env=real.env, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        assert phone.server.streams == 1
        process.kill()
    assert phone.server.quiet()
    assert real.out("shell", "echo", "on") == "on\n"


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # adbutils leaves sockets to the collector.
def test_adbutils_finds_what_it_asks_for(real: Adb) -> None:
    adbutils = pytest.importorskip("adbutils", reason="no adbutils; pip install adbutils")
    device = adbutils.AdbClient(port=real.port).device(real.serial)
    assert device.window_size() == (1080, 2400)
    assert device.rotation() == 0
    assert device.app_current().package == "com.pocket.clock"
    assert device.is_screen_on()
    assert device.battery().level == 100
    assert "com.pocket.mail" in device.list_packages()
    assert device.app_info("com.pocket.mail").version_name == "0.1.0"
    assert device.shell2("echo a; exit 4", v2=True).returncode == 4
    assert device.shell2("echo a; false").returncode == 1
    assert node(ET.fromstring(device.dump_hierarchy()), text="Timer") is not None
    assert device.screenshot().size == (1080, 2400)
    assert device.framebuffer().size == (1080, 2400)
    assert device.sync.push(b"hello", "/sdcard/a.txt", check=True) == 5
    assert device.sync.read_text("/sdcard/a.txt") == "hello"
    gc.collect()
