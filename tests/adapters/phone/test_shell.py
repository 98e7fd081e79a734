import contextlib
import shlex
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.adapters.phone.client import Client
from waypost.adapters.phone import Phone
from waypost.adapters.phone.grammar import parse
from waypost.adapters.phone.syntax import SyntaxFault

_TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), max_size=40)
_SHELLISH = st.lists(
    st.sampled_from(
        [
            "echo",
            "a",
            ";",
            "&&",
            "||",
            "|",
            "&",
            "(",
            ")",
            "{",
            "}",
            "$(",
            "`",
            "'",
            '"',
            "$x",
            "${x}",
            "${",
            ">",
            ">>",
            "<",
            "2>&1",
            "if",
            "then",
            "fi",
            "for",
            "in",
            "do",
            "done",
            "while",
            "!",
            "\n",
            " ",
            "\\",
            "#",
        ]
    ),
    max_size=25,
).map(" ".join)


def test_a_command_answers_with_output_complaint_and_code(client: Client) -> None:
    said = client.shell("echo out; ls /nowhere; exit 7")
    assert (said.out, said.err, said.code) == ("out\n", "ls: /nowhere: No such file or directory\n", 7)


def test_an_unknown_command_is_answered_as_on_android_and_noted(client: Client, notes: list[str]) -> None:
    said = client.shell("foo --bar")
    assert (said.out, said.code) == ("", 127)
    assert said.err == "/system/bin/sh: foo: inaccessible or not found\n"
    assert notes == ["unknown command: 'foo --bar'"]


@pytest.mark.parametrize(
    ("command", "out"),
    [
        ("echo a   b", "a b\n"),
        ("echo 'a   b' \"c  d\" e\\ f", "a   b c  d e f\n"),
        ("echo -n a; echo b", "ab\n"),
        ("false && echo no; false || echo yes", "yes\n"),
        ("true && echo 1 || echo 2", "1\n"),
        ("! true || echo inverted", "inverted\n"),
        ("ls /nowhere 2>/dev/null; echo X4EXIT:$?", "X4EXIT:1\n"),
        ("ls /nowhere 2>&1 | wc -l", "1\n"),
        ("echo one > /sdcard/f; echo two >> /sdcard/f; cat < /sdcard/f", "one\ntwo\n"),
        ("rm -f /sdcard/f; test -f /sdcard/f; echo $?", "1\n"),
        ("[ 3 -gt 2 ] && echo more", "more\n"),
        ('x=\'a b\'; for w in $x "$x"; do echo "<$w>"; done', "<a>\n<b>\n<a b>\n"),
        ("i=0; while [ $i -lt 3 ]; do i=$((i+1)); echo $i; done", "1\n2\n3\n"),
        ("for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done", "1\n3\n"),
        ("if [ -d /sdcard ]; then echo yes; else echo no; fi", "yes\n"),
        ("echo $(echo in; echo ner) `echo ticks`", "in ner ticks\n"),
        ("(cd /sdcard; pwd); pwd", "/sdcard\n/\n"),
        ("{ echo a; echo b; } | tail -1", "b\n"),
        ("X=1 env | grep '^X='", "X=1\n"),
        ("sh -c 'echo nested; exit 3'; echo $?", "nested\n3\n"),
        ("echo ${unset:-other} $unset.", "other .\n"),
        ("touch /sdcard/a1.xml /sdcard/a2.xml; cd /sdcard; echo a*.xml 'a*.xml'", "a1.xml a2.xml a*.xml\n"),
        ("printf '%s-%d\\n' a 1 b 2", "a-1\nb-2\n"),
        ("echo aGk= | base64 -d", "hi"),
        ("cat /sdcard/none; echo $?", "1\n"),
        ("which ls; which nosuch; echo $?", "/system/bin/ls\n1\n"),
        ("whoami # and no more", "shell\n"),
        ("echo a;\n\necho b\n", "a\nb\n"),
        ("toybox echo hi", "hi\n"),
        ("echo abc | md5sum", "0bee89b07a248e27c83fc3d5951213c1  -\n"),
    ],
)
def test_a_line_means_what_it_means_to_sh(client: Client, command: str, out: str) -> None:
    assert client.shell(command).out == out


@pytest.mark.parametrize(
    "command", ["echo 'open", "echo )", "if true", "a ||", "echo > ", "cat <<E\nE", "for 1 in"]
)
def test_what_is_no_command_is_a_syntax_error(client: Client, command: str) -> None:
    said = client.shell(command)
    assert said.err.startswith("/system/bin/sh: syntax error: ")
    assert said.code == 1


def test_quoted_arguments_arrive_as_they_were(client: Client) -> None:
    @given(st.lists(_TEXTS, min_size=1, max_size=4))
    @settings(max_examples=60, deadline=None)
    def check(words: list[str]) -> None:
        quoted = " ".join(map(shlex.quote, words))
        said = client.shell(f'for w in {quoted}; do printf "%s\\n" "$w"; done')
        assert said.out == "".join(w + "\n" for w in words)

    check()


@given(_SHELLISH | _TEXTS)
def test_any_text_is_a_script_or_a_syntax_fault(text: str) -> None:
    with contextlib.suppress(SyntaxFault):
        parse(text)


def test_deep_nesting_is_refused_before_it_hurts(client: Client) -> None:
    assert client.shell("(" * 5000 + "echo x" + ")" * 5000).code == 1
    assert "nested" in client.shell("$(" * 300 + "echo x" + ")" * 300).err
    client.shell("echo 'sh /sdcard/self' > /sdcard/self")
    assert client.shell("sh /sdcard/self").code != 0
    assert client.shell("echo on").out == "on\n"


@pytest.mark.parametrize(
    "attack",
    [
        "; touch {path}",
        "$(touch {path})",
        "`touch {path}`",
        "| tee {path}",
        "> {path}",
        "\n touch {path}",
        "&& sh -c 'touch {path}'",
        '; python3 -c \'open("{path}", "w")\'',
        "'; touch {path}; '",
        "$(cat /etc/passwd > {path})",
    ],
)
def test_no_command_ever_reaches_the_host(client: Client, tmp_path: Path, attack: str) -> None:
    victim = tmp_path / "owned"
    client.shell("echo x " + attack.format(path=victim))
    client.shell("input text " + attack.format(path=victim))
    assert not list(tmp_path.iterdir())
    assert "root:" not in client.shell("cat /etc/passwd; ls /").out


@pytest.mark.parametrize(
    "text", ["a; rm -rf /sdcard", "$(rm -rf /sdcard)", "`rm -rf /sdcard`", "'|\"&>", "-rf", "*"]
)
def test_a_quoted_name_that_tries_to_break_out_stays_a_name(client: Client, phone: Phone, text: str) -> None:
    phone.files.write("/sdcard/kept.txt", b"kept")
    before = client.shell("dumpsys window windows").out
    for command in (
        "am force-stop {}",
        "pm path {}",
        "monkey -p {} 1",
        "dumpsys package {}",
        "getprop {}",
        "am start -n {}/.Main",
        "settings put system x {}",
        "ls {}",
        "uiautomator dump {}",
    ):
        client.shell(command.format(shlex.quote(text)))
    assert phone.files.read("/sdcard/kept.txt") == b"kept"
    assert client.shell("dumpsys window windows").out == before
    assert client.shell("settings get system x").out == text + "\n"


def test_only_the_places_of_a_shell_user_can_be_written(client: Client) -> None:
    assert client.shell("echo x > /system/bin/ls").err.endswith("Read-only file system\n")
    assert client.shell("rm -rf /data").code == 1
    assert client.shell("rm -rf /sdcard").err == "rm: /sdcard: Permission denied\n"
    assert client.shell("echo x > /sdcard/../../etc/passwd").err.endswith("Permission denied\n")


def test_input_is_read_to_its_end(client: Client) -> None:
    line = client.open("shell,v2,raw:cat > /sdcard/typed; cat /sdcard/typed")
    for kind, data in ((0, b"one "), (0, b"two"), (4, b"")):
        # Each write waits for the one before to be read.
        done = line.acknowledged
        line.write(struct.pack("<BI", kind, len(data)) + data)
        while line.acknowledged == done and not line.ended:
            client.turn()
    assert line.everything() == b"\x01" + struct.pack("<I", 7) + b"one two\x03" + struct.pack("<I", 1) + b"\0"


def test_a_terminal_echoes_and_prompts(client: Client) -> None:
    line = client.open("shell:")
    line.write(b"ecoo\x7f\x7fho hi\r")
    want = b"waypost:/ $ ecoo\b \b\b \bho hi\r\nhi\r\nwaypost:/ $ "
    assert line.until(len(want)) == want
    line.write(b"exit\r")
    assert line.everything() == b"exit\r\n"


def test_the_first_version_mixes_output_and_complaints(client: Client) -> None:
    assert client.run("shell:echo a; nosuch; echo X4EXIT:$?") == (
        b"a\n/system/bin/sh: nosuch: inaccessible or not found\nX4EXIT:127\n"
    )
