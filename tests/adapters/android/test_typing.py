import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.adapters.android.test_device import FIELD, PIN, opened
from tests.adapters.android.toy import APP, KEYS, WRITER, ToyPhone
from waypost.adapters.android import names
from waypost.adapters.android.shell import line
from waypost.adapters.android.typist import pieces
from waypost.errors import DeviceError
from waypost.model import Launch, TypeText

TEXTS = [
    "hello",
    "two words",
    "  spaces  around  ",
    "%",
    "%s",
    "100%sure",
    "%%s %s%s",
    "50% off",
    "$HOME",
    "$(reboot)",
    "`id`",
    "${IFS}",
    "a & b && c",
    "a; rm -rf /sdcard",
    "a | b > c < d",
    "it's",
    '"quoted"',
    "'",
    "\\",
    "\\n \\t",
    "#comment",
    "-n",
    "--es",
    "~/x",
    "*?[a]{b,c}",
    "!history",
    "under_score",
    "user+tag@example.org",
    "(parens)",
    "a=b^c",
    "naïve café",
    "Zürich, Größe",
    "łódź",
    "Привет",
    "Ελληνικά",
    "שלום",
    "مرحبا بالعالم",
    "你好,世界",
    "日本語テスト",
    "한국어",
    "हिन्दी",
    "ไทย",
    "👋",
    "👩‍👩‍👧‍👦 family",
    "🏳️‍🌈",
    "e\u0301 combining",
    "line one\nline two",
    "tab\there",
    "“curly” – dash…",
    "𝒜 𝓑 plane one",
    "x" * 700,
]


@pytest.mark.parametrize("text", TEXTS, ids=lambda t: ascii(t)[:24])
def test_a_text_of_any_script_arrives_as_it_is(text: str) -> None:
    phone = ToyPhone(imes=[KEYS, WRITER], fields={"search": "what was there"})
    opened(phone).perform(TypeText(text, FIELD))
    assert phone.fields["search"] == text
    assert phone.ime == KEYS  # The user's own keyboard is back.


@pytest.mark.parametrize("text", [t for t in TEXTS if not t.isascii() or not t.isprintable()], ids=ascii)
def test_the_clipboard_serves_where_no_input_method_does(text: str) -> None:
    phone = ToyPhone(clipboard=True)
    opened(phone).perform(TypeText(text, FIELD))
    assert phone.fields["search"] == text


def test_a_phone_that_cannot_type_a_script_says_what_would() -> None:
    phone = ToyPhone()
    with pytest.raises(DeviceError, match="adbkeyboard"):
        opened(phone).perform(TypeText("你好", FIELD))
    assert phone.fields.get("search", "") == ""


def test_keys_that_lose_signs_are_noticed_and_another_way_is_tried() -> None:
    phone = ToyPhone(loses="+@", imes=[KEYS, WRITER])
    opened(phone).perform(TypeText("a+b@c.de", FIELD))
    assert phone.fields["search"] == "a+b@c.de"


def test_a_text_that_did_not_take_is_an_error_and_no_success() -> None:
    with pytest.raises(DeviceError, match="did not take"):
        opened(ToyPhone(loses="$")).perform(TypeText("cost $5", FIELD))


def test_a_long_text_is_replaced_and_verified_as_far_as_the_tree_tells_it() -> None:
    phone = ToyPhone(tells=150, fields={"search": "y" * 700})
    opened(phone).perform(TypeText("x" * 600, FIELD))
    assert phone.fields["search"] == "x" * 600
    with pytest.raises(DeviceError, match="did not take"):
        opened(ToyPhone(tells=150, loses="b")).perform(TypeText("ab" * 200, FIELD))


def test_an_empty_text_empties_the_field() -> None:
    phone = ToyPhone(fields={"search": "old words"})
    opened(phone).perform(TypeText("", FIELD))
    assert phone.fields["search"] == ""


def test_the_focused_field_is_typed_into_where_no_place_is_given() -> None:
    phone = ToyPhone(focused="search")
    opened(phone).perform(TypeText("there", submit=True))
    assert phone.fields["search"] == "there"
    assert phone.log[-1] == ["input", "keyevent", "KEYCODE_ENTER"]


def test_without_a_field_nothing_is_typed() -> None:
    phone = ToyPhone()
    with pytest.raises(DeviceError, match="no text field"):
        opened(phone).perform(TypeText("x", (500, 150)))
    assert not any(w[:2] == ["input", "text"] for w in phone.log)


def test_a_password_is_typed_and_never_told() -> None:
    phone = ToyPhone(loses="z")
    opened(phone).perform(TypeText("s3cret", PIN))
    assert phone.fields["pin"] == "s3cret"
    with pytest.raises(DeviceError) as failed:
        opened(phone).perform(TypeText("pizza", PIN))
    assert "pizza" not in str(failed.value)


def test_a_field_that_cannot_be_read_back_is_noted() -> None:
    device = opened(ToyPhone(busy={"normal", "compressed"}, focused="search"))
    device.perform(TypeText("blind"))
    assert "read back" in device.notes[0]


# ---- nothing breaks out ----------------------------------------------------------------------------
EVIL = [
    "a; touch PWNED",
    "$(touch PWNED)",
    "`touch PWNED`",
    "a' ; touch PWNED ; '",
    'a" ; touch PWNED ; "',
    "a\ntouch PWNED\n",
    "a && touch PWNED",
    "a | touch PWNED",
    "> PWNED",
    "\\'; touch PWNED #",
    "${x:=`touch PWNED`}",
]

SHELLS = [s for s in ("sh", "bash", "mksh") if shutil.which(s)]
"""Android's own is mksh; it is tried where it is installed."""


@pytest.fixture
def shell_log(tmp_path: Path) -> Path:
    """A folder of programs that write down what a real shell gave them."""
    stub = '#!/bin/sh\nfor w in "$0" "$@"; do printf \'%s\\0\' "$w"; done >> log; printf \'\\001\' >> log\n'
    for program in ("input", "am", "ime", "cmd", "monkey"):
        (tmp_path / program).write_text(stub)
        (tmp_path / program).chmod(0o755)
    return tmp_path


def _through(shell: str, written: str, folder: Path) -> list[list[str]]:
    env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    subprocess.run([shell, "-c", written], cwd=folder, env=env, check=False, capture_output=True)
    raw = (folder / "log").read_bytes().decode("utf-8")
    return [[Path(c.split("\0")[0]).name, *c.split("\0")[1:-1]] for c in raw.split("\1") if c]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("text", [*EVIL, *TEXTS[:30]], ids=lambda t: ascii(t)[:24])
def test_a_real_shell_hands_every_word_over_whole(shell: str, text: str, shell_log: Path) -> None:
    commands = [["input", "text", text], ["cmd", "clipboard", "set-text", text]]
    assert _through(shell, line(commands), shell_log) == commands
    assert not (shell_log / "PWNED").exists()


@pytest.mark.parametrize("text", EVIL, ids=ascii)
def test_what_is_typed_is_never_run(text: str) -> None:
    phone = ToyPhone(imes=[KEYS, WRITER])
    opened(phone).perform(TypeText(text, FIELD))
    assert phone.fields["search"] == text
    assert {w[0] for w in phone.log} <= {"input", "uiautomator", "dumpsys", "ime", "cmd", "settings", "am"}


@pytest.mark.parametrize(
    "name",
    [
        *EVIL,
        "org.toy; reboot",
        "org.toy reboot",
        "-n",
        "org",
        "",
        "../etc",
        "org.toy/.Main;ls",
        "org.toy\n",
        "file:///etc/passwd",
        "tel:112",
        "intent:#Intent;end",
        "https://x y",
        'https://a"b',
        "javascript:alert(1)",
    ],
    ids=ascii,
)
def test_a_name_that_is_none_reaches_no_shell(name: str) -> None:
    phone = ToyPhone()
    device = opened(phone)
    with pytest.raises(DeviceError):
        device.perform(Launch(name))
    with pytest.raises(DeviceError):
        names.package(name)
    assert phone.log == []


def test_a_web_address_is_one_word() -> None:
    phone = ToyPhone()
    opened(phone).perform(Launch("https://example.org/?a=1&b=$(x);c"))
    assert phone.log[-1][-1] == "https://example.org/?a=1&b=$(x);c"


def test_a_zero_byte_is_refused() -> None:
    with pytest.raises(DeviceError, match="zero byte"):
        line([["input", "text", "a\0b"]])


def test_pieces_put_together_are_the_text() -> None:
    for text in (t for t in TEXTS if t.isascii() and t.isprintable()):
        assert "".join(p.replace("%s", " ") for p in pieces(text)) == text
        assert all(0 < len(p) <= 480 for p in pieces(text))


def test_every_text_of_the_table_is_of_its_own_kind() -> None:
    assert len({json.dumps(t) for t in TEXTS}) == len(TEXTS) >= 40
    assert APP
