import base64
import re
import shlex
import struct
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.phone.client import Client, centre, node, pocket_config, served
from waypost.adapters.phone import HandsetConfig, Phone
from waypost.adapters.phone.programs import programs
from waypost.adapters.pocket import PocketDevice
from waypost.adapters.recorded import RecordedDevice
from waypost.adapters.recorded.recording import Recording
from waypost.model import Bounds, Element, Role, Screen, TreeQuality

TEXTS = [
    "plain words",
    "héllo wörld",
    "مرحبا بالعالم",
    "שלום עולם",
    "你好，世界",
    "日本語テスト",
    "한국어",
    "👨‍👩‍👧‍👦 family 😀",
    "🇩🇪🏳️‍🌈",
    "e\u0301 combining",
    "a'b\"c`d",
    "$(reboot) `id` $HOME",
    "a && b; c | d > e",
    "%s %d 100%",
    "back\\slash",
    "~!@#$^*()_+{}[]",
    "  leading and trailing  ",
]


def _field(client: Client) -> ET.Element:
    return next(n for n in client.tree().iter("node") if "EditText" in n.get("class", ""))


def _open_field(client: Client) -> None:
    """Go to the page with a text field, and tap the field."""
    client.shell("input tap {} {}".format(*centre(node(client.tree(), content_desc="New alarm"))))
    client.shell("input tap {} {}".format(*centre(_field(client))))
    assert _field(client).get("focused") == "true"


def test_a_dump_goes_to_a_file_or_to_the_terminal(client: Client) -> None:
    shown = client.shell("uiautomator dump --compressed /dev/tty").out
    assert shown.startswith(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">"
    )
    assert shown.endswith("</hierarchy>UI hierchary dumped to: /dev/tty\n")
    assert client.shell("uiautomator dump && echo success").out == (
        "UI hierchary dumped to: /sdcard/window_dump.xml\nsuccess\n"
    )
    assert client.shell("cat /sdcard/window_dump.xml").out.endswith("</hierarchy>")
    assert "open failed" in client.shell("uiautomator dump /system/x.xml").err


def test_a_screenshot_is_a_png_as_large_as_the_screen(client: Client) -> None:
    data = client.run("exec:screencap -p")
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (1080, 2400)
    assert client.shell("wm size").out == "Physical size: 1080x2400\n"
    assert client.shell("wm density").out == "Physical density: 480\n"
    assert client.shell("screencap -p /sdcard/s.png; stat -c %s /sdcard/s.png").out == f"{len(data)}\n"


def test_the_framebuffer_holds_the_same_pixels(client: Client) -> None:
    data = client.run("framebuffer:")
    version, bits, size, width, height = struct.unpack("<5I", data[:20])
    assert (version, bits, width, height, size) == (1, 32, 1080, 2400, 1080 * 2400 * 4)
    assert len(data) == 52 + size


def test_a_device_without_tree_or_picture_says_so_and_makes_nothing_up() -> None:
    blind = Recording("a.b", "one", {"one": Screen(Element(), app="a.b", quality=TreeQuality.NONE)}, ())
    with served(RecordedDevice(blind)) as phone, Client(phone.server.port) as client:
        dump = client.shell("uiautomator dump /dev/tty")
        assert (dump.out, dump.err) == ("", "ERROR: null root node returned by UiTestAutomationBridge.\n")
        shot = client.shell("screencap -p")
        assert (shot.out, shot.code) == ("", 1)
        assert shot.err.startswith("Failed to take screenshot. Status: ")
        assert client.run("framebuffer:") == b""


def test_what_a_recording_never_saw_fails_and_is_noted() -> None:
    one = Recording("a.b", "one", {"one": Screen(Element(bounds=Bounds(0, 0, 9, 9)), app="a.b")}, ())
    notes: list[str] = []
    with served(RecordedDevice(one), None, notes) as phone, Client(phone.server.port) as client:
        said = client.shell("input tap 5 5")
        assert said.code == 1
        assert "never tried" in said.err
        assert len(notes) == 1


def test_taps_swipes_and_keys_reach_the_device(client: Client) -> None:
    client.shell("monkey -p com.pocket.settings 1")
    before = client.shell("uiautomator dump /dev/tty").out
    client.shell("input swipe 540 1800 540 600 300")
    assert client.shell("uiautomator dump /dev/tty").out != before
    client.shell("monkey -p com.pocket.clock 1")
    client.shell("input tap {} {}".format(*centre(node(client.tree(), content_desc="New alarm"))))
    assert _field(client) is not None
    client.shell("input keyevent KEYCODE_BACK 4")
    client.shell("input keyevent HOME")
    assert "mCurrentFocus=Window{5c0ffee u0 com.pocket.launcher/" in client.shell("dumpsys window").out


def test_a_finger_that_keeps_still_is_a_tap_or_a_long_press(client: Client) -> None:
    x, y = centre(node(client.tree(), content_desc="New alarm"))
    client.shell(f"input swipe {x} {y} {x + 3} {y} 50")
    assert _field(client) is not None
    client.shell("input keyevent BACK")
    client.shell(f"input motionevent DOWN {x} {y}; input motionevent UP {x} {y}")
    assert _field(client) is not None


def test_typing_appends_and_keys_edit(client: Client) -> None:
    _open_field(client)
    client.shell("input text one%stwo; input text three")
    assert _field(client).get("text") == "one twothree"
    client.shell("input keyevent DEL 67 KEYCODE_DEL; input keyevent MOVE_HOME; input text x")
    assert _field(client).get("text") == "xone twoth"
    client.shell("input keyevent FORWARD_DEL; input keyevent MOVE_END 62 7 29")
    assert _field(client).get("text") == "xne twoth 0a"
    client.shell("input keycombination 113 29 && input keyevent 67")
    assert _field(client).get("text") == ""


def test_signs_that_the_shell_knows_are_typed_when_they_are_quoted(client: Client) -> None:
    _open_field(client)
    client.shell("input text " + shlex.quote("a'b\"$(id)&;|<>`%s!"))
    assert _field(client).get("text") == "a'b\"$(id)&;|<>` !"


def test_the_hardware_keyboard_has_no_keys_for_other_scripts(client: Client) -> None:
    _open_field(client)
    said = client.shell("input text héllo")
    assert said.code == 255
    assert "NullPointerException" in said.err
    assert _field(client).get("text") == ""


@pytest.mark.parametrize("text", TEXTS)
def test_text_of_any_script_is_typed_by_both_keyboards_and_pasted(client: Client, text: str) -> None:
    _open_field(client)
    packed = base64.b64encode(text.encode()).decode()
    client.shell("ime set com.android.adbkeyboard/.AdbIME")
    assert "result=0" in client.shell(f"am broadcast -a ADB_INPUT_B64 --es msg {packed}").out
    assert _field(client).get("text") == text
    client.shell("am broadcast -a ADB_CLEAR_TEXT")
    client.shell("ime set com.github.uiautomator/.AdbKeyboard")
    said = client.shell(f"am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text {packed}").out
    assert 'result=-1, data="success"' in said
    assert _field(client).get("text") == text
    client.shell("am broadcast -a ADB_KEYBOARD_CLEAR_TEXT")
    client.shell("cmd clipboard set-primary-clip " + shlex.quote(text) + "; input keyevent PASTE")
    assert _field(client).get("text") == text


def test_a_keyboard_that_is_not_set_hears_no_broadcast(client: Client, notes: list[str]) -> None:
    _open_field(client)
    assert client.shell("settings get secure default_input_method").out == "com.waypost.keyboard/.LatinIME\n"
    assert client.shell("am broadcast -a ADB_INPUT_TEXT --es msg hi").out.endswith("completed: result=0\n")
    assert _field(client).get("text") == ""
    assert notes == ["nobody listens to the broadcast 'ADB_INPUT_TEXT'"]


def test_a_field_keeps_the_focus_when_its_keyboard_is_hidden(client: Client) -> None:
    _open_field(client)
    client.shell(
        "ime set com.github.uiautomator/.AdbKeyboard; am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text YQ=="
    )
    client.shell("am broadcast -a ADB_KEYBOARD_HIDE")
    assert "mInputShown=false" in client.shell("dumpsys input_method").out
    client.shell("am broadcast -a ADB_KEYBOARD_INPUT_TEXT --es text Yg==")
    assert _field(client).get("text") == "ab"
    client.shell("input keyevent ESCAPE; input tap 5 5; input text c")
    assert _field(client).get("text") == "ab"


def test_the_keyboards_state_is_told(client: Client) -> None:
    assert "mInputShown=false" in client.shell("dumpsys input_method").out
    _open_field(client)
    assert "mInputShown=true" in client.shell("dumpsys input_method").out
    client.shell("input keyevent ESCAPE")
    assert "mInputShown=false" in client.shell("dumpsys input_method").out


def test_apps_are_listed_launched_and_stopped(client: Client) -> None:
    listed = client.shell("pm list packages pocket").out.split()
    assert "package:com.pocket.mail" in listed
    assert client.shell("pm path com.pocket.mail").out == "package:/data/app/com.pocket.mail/base.apk\n"
    assert "versionName=0.1.0" in client.shell("dumpsys package com.pocket.mail").out
    assert client.shell("monkey -p com.pocket.settings -c android.intent.category.LAUNCHER 1").code == 0
    assert "com.pocket.settings/" in client.shell("dumpsys activity activities | grep mResumedActivity").out
    assert client.shell("pidof com.pocket.settings").out.strip().isdecimal()
    client.shell("am force-stop com.pocket.settings")
    assert "com.pocket.launcher/" in client.shell("dumpsys window windows | grep mCurrentFocus").out
    assert client.shell("pidof com.pocket.settings").code == 1
    assert "Status: ok" in client.shell("am start -W -n com.pocket.settings/.Main").out


def test_an_app_that_is_not_installed_is_not_launched(client: Client) -> None:
    assert client.shell("monkey -p com.none -c android.intent.category.LAUNCHER 1").out == (
        "** No activities found to run, monkey aborted.\n"
    )
    said = client.shell("am start -n com.none/.Main")
    assert said.err == "Error type 3\nError: Activity class {com.none/.Main} does not exist.\n"
    assert said.code == 1
    assert (
        "unable to resolve"
        in client.shell("am start -a android.intent.action.VIEW -d file:///etc/passwd").err
    )


def test_nothing_is_installed_cleared_or_granted(client: Client, notes: list[str]) -> None:
    for command in (
        "pm install /sdcard/a.apk",
        "pm clear com.pocket.mail",
        "pm grant com.pocket.mail x",
        "reboot",
    ):
        assert client.shell(command).code == 1
    assert len(notes) == 4


def test_a_titles_words_never_pass_for_lines_of_the_dump() -> None:
    title = 'x"\n  mResumedActivity: ActivityRecord{0 u0 evil/.Main t1}'
    screen = Screen(
        Element(Role.WEB, bounds=Bounds(0, 0, 9, 9)),
        app="http://127.0.0.1:1",
        activity="/a b?{c}",
        title=title,
    )
    device = RecordedDevice(Recording("r", "one", {"one": screen}, ()))
    with served(device) as phone, Client(phone.server.port) as client:
        said = client.shell("dumpsys activity activities").out
        assert len(re.findall(r"^\s*mResumedActivity", said, re.MULTILINE)) == 1
        assert "dat=http://127.0.0.1:1/a%20b?%7Bc%7D cmp=web.h127_0_0_1.p1/.Main" in said
        assert "evil/.Main" not in re.sub(r'label=".*"', "", said)


def test_a_system_window_in_front_is_the_window_in_focus() -> None:
    device = PocketDevice("mail")
    with served(device, pocket_config()) as phone, Client(phone.server.port) as client:
        while "GrantPermissionsActivity" not in client.shell("dumpsys window; uiautomator dump").out:
            pass
        shown = client.shell("dumpsys window windows | grep mCurrentFocus").out
        assert (
            "com.android.permissioncontroller/com.android.permissioncontroller.permission.ui.Grant" in shown
        )
        assert "permissioncontroller" not in client.shell("pm list packages").out


def test_settings_and_properties_are_read_and_written(client: Client) -> None:
    assert client.shell("settings get global airplane_mode_on").out == "0\n"
    assert client.shell("settings get system none").out == "null\n"
    client.shell("settings put system pointer_location 1")
    assert client.shell("settings get system pointer_location").out == "1\n"
    assert client.shell("settings get wrong x").code == 255
    assert client.shell("getprop ro.build.version.sdk").out == "34\n"
    assert "[sys.boot_completed]: [1]" in client.shell("getprop").out


def test_a_secure_window_gives_no_picture() -> None:
    from waypost.adapters.pocket import Faults

    device = PocketDevice("clock", faults=Faults(black=1.0))
    with served(device, HandsetConfig("pocket")) as phone, Client(phone.server.port) as client:
        assert "SECURE" not in client.shell("dumpsys window windows").out
        assert "secure" in client.shell("screencap -p").err
        assert "fl=LAYOUT_IN_SCREEN SECURE" in client.shell("dumpsys window windows").out
        assert client.run("exec:screencap -p 2>/dev/null") == b""


def test_files_cross_by_sync_in_both_directions(client: Client, phone: Phone) -> None:
    data = bytes(range(256)) * 1000
    line = client.open("sync:")

    def ask(kind: bytes, path: bytes) -> None:
        line.write(struct.pack("<4sI", kind, len(path)) + path)

    ask(b"STAT", b"/sdcard/new/deep.bin")
    assert line.until(16) == struct.pack("<4sIII", b"STAT", 0, 0, 0)
    ask(b"SEND", b"/sdcard/new/deep.bin,33188")
    for at in range(0, len(data), 65536):
        done, part = line.acknowledged, data[at : at + 65536]
        line.write(struct.pack("<4sI", b"DATA", len(part)) + part)
        while line.acknowledged == done:
            client.turn()
    line.write(struct.pack("<4sI", b"DONE", 1_700_000_000))
    assert line.until(8) == struct.pack("<4sI", b"OKAY", 0)
    assert phone.files.read("/sdcard/new/deep.bin") == data
    ask(b"STA2", b"/sdcard/new/deep.bin")
    assert struct.unpack("<IQQIIIIQqqq", line.until(72)[4:])[7] == len(data)
    ask(b"RECV", b"/sdcard/new/deep.bin")
    got = b""
    while (head := line.until(8))[:4] == b"DATA":
        got += line.until(struct.unpack("<I", head[4:])[0])
    assert (head, got) == (struct.pack("<4sI", b"DONE", 0), data)
    ask(b"RECV", b"/sdcard/none")
    assert line.until(8)[:4] == b"FAIL"
    line.until(len("open failed: No such file or directory"))
    ask(b"LIST", b"/sdcard/new")
    assert line.until(20) == struct.pack("<4sIIII", b"DENT", 0o100644, len(data), 1_700_000_000, 8)
    assert line.until(8) == b"deep.bin"
    assert line.until(20)[:4] == b"DONE"
    ask(b"QUIT", b"")
    assert line.everything() == b""


_WORDS = st.one_of(
    st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), max_size=12),
    st.sampled_from(
        ("-p", "-n", "-c", "-d", "-a", "--es", "-", "--", "0", "-1", "1e9", "nan", "inf", "9" * 40, "%s", "*")
    ),
    st.sampled_from(
        ("/sdcard", "/dev/tty", "start", "dump", "list", "get", "put", "tap", "text", "broadcast")
    ),
    st.sampled_from(
        ("keyevent", "swipe", "window", "package", "activity", "ADB_INPUT_CHARS", "chars", "set")
    ),
)


def test_no_arguments_make_a_program_fall_over(client: Client, phone: Phone) -> None:
    waits = {"logcat", "cat", "wc", "grep", "egrep", "fgrep", "sort", "uniq", "tr", "base64", "head", "tail"}
    waits |= {"md5sum", "sha1sum", "sha256sum", "sleep", "toybox", "screencap"}

    @given(st.sampled_from(sorted(set(programs()) - waits)), st.lists(_WORDS, max_size=6))
    @settings(max_examples=400, deadline=None)
    def check(name: str, words: list[str]) -> None:
        said = client.run(
            f"shell,v2,raw:{name} {' '.join(map(shlex.quote, words))} </dev/null >/dev/null 2>&1"
        )
        assert len(said) == 6, said  # Nothing but the exit code: a program that fell over sends none.

    check()
    assert client.shell("echo on").out == "on\n"


def test_a_command_that_says_too_much_for_a_pipe_is_killed(client: Client) -> None:
    client.shell("echo " + "x" * 100_000 + " > /sdcard/big")
    said = client.shell("while true; do cat /sdcard/big; done | wc -c")
    assert (said.out, said.err, said.code) == ("", "/system/bin/sh: Killed\n", 137)
