"""What the system says of itself: whoami, id, date, uptime, ps, which, sleep, logcat and their like."""

import math
import time

from waypost.adapters.phone.calls import Call, Program

__all__ = ["PROGRAMS"]


def _id(call: Call) -> int:
    if "-u" in call.args:
        call.out("2000")
    else:
        call.out("uid=2000(shell) gid=2000(shell) groups=2000(shell),3003(inet) context=u:r:shell:s0")
    return 0


def _date(call: Call) -> int:
    form = next((a[1:] for a in call.args if a.startswith("+")), "%a %b %e %H:%M:%S UTC %Y")
    now = call.handset.clock()
    form = form.replace("%s", str(int(now))).replace("%N", f"{int(now % 1 * 1e9):09d}")
    call.out(time.strftime(form, time.gmtime(now)))
    return 0


def _uptime(call: Call) -> int:
    now = call.handset.clock()
    up = max(0, int(now - call.handset.started))
    at = time.strftime("%H:%M:%S", time.gmtime(now))
    days, hours, minutes = up // 86400, up // 3600 % 24, up // 60 % 60
    spent = f"{days} day{'s' * (days != 1)}, {hours:2}:{minutes:02}" if days else f"{hours}:{minutes:02}"
    call.out(f" {at} up {spent},  0 users,  load average: 0.00, 0.00, 0.00")
    return 0


def _ps(call: Call) -> int:
    call.out("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME")
    rows = {"init": 1, "zygote64": 300, "system_server": 900, **call.handset.running()}
    for name, pid in rows.items():
        user = "root" if pid < 900 else "system" if pid == 900 else "u0_a100"
        call.out(
            f"{user:<12} {pid:>5} {300 if pid > 300 else 1:>5} 1000000 100000 0                   0 S {name}"
        )
    return 0


def _pidof(call: Call) -> int:
    found = [str(p) for name, p in call.handset.running().items() if name in call.args]
    if not found:
        return 1
    call.out(" ".join(found))
    return 0


def _which(call: Call) -> int:
    missing = 0
    for name in call.args:
        if call.files.stat(f"/system/bin/{name}") is None:
            missing = 1
        else:
            call.out(f"/system/bin/{name}")
    return missing


def _sleep(call: Call) -> int:
    """Wait, or until nobody waits for the answer any more."""
    units = {"s": 1.0, "m": 60.0, "h": 3600.0}
    said = call.args[0] if call.args else ""
    unit = units.get(said[-1:], 0.0)
    try:
        seconds = float(said[:-1]) * unit if unit else float(said)
    except ValueError:
        call.err(f"sleep: bad float '{said}'")
        return 1
    call.gone.wait(max(0.0, min(seconds, 86_400.0)) if math.isfinite(seconds) else 0.0)
    return 0


def _env(call: Call) -> int:
    for name, value in sorted(call.env.items()):
        if name.isidentifier():
            call.out(f"{name}={value}")
    return 0


def _uname(call: Call) -> int:
    call.out("Linux localhost 6.1.0-waypost #1 SMP PREEMPT x86_64 Toybox" if "-a" in call.args else "Linux")
    return 0


def _logcat(call: Call) -> int:
    """Nothing is logged on the phone; without -d or -c it is followed until the client goes."""
    if set(call.args) & {"-c", "--clear", "-g"}:
        return 0
    call.out("--------- beginning of main")
    if "-d" not in call.args:
        call.gone.wait()
    return 0


def _basename(call: Call) -> int:
    path = (call.args[0] if call.args else "").rstrip("/")
    above, _, last = path.rpartition("/")
    call.out((last or "/") if call.name == "basename" else (above or ("/" if path.startswith("/") else ".")))
    return 0


def _seq(call: Call) -> int:
    numbers = [int(a) for a in call.args if a.lstrip("-").isdecimal()]
    first, last = (1, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[-1]) if numbers else (1, 0)
    for n in range(first, min(last, first + 100_000) + 1):
        call.out(str(n))
    return 0


def _refused(call: Call) -> int:
    call.handset.note(f"{' '.join(call.argv)[:100]!r} was asked for; a served device does no such thing")
    call.err(f"{call.name}: not permitted on a served device")
    return 1


def _svc(call: Call) -> int:
    """The screen stays on by itself; radios there are none."""
    return 0 if call.args[:2] == ("power", "stayon") else _refused(call)


def _say(text: str) -> Program:
    def program(call: Call) -> int:
        call.out(text)
        return 0

    return program


def _pwd(call: Call) -> int:
    call.out(call.folder)
    return 0


PROGRAMS: dict[str, Program] = {
    "basename": _basename,
    "date": _date,
    "dirname": _basename,
    "env": _env,
    "id": _id,
    "logcat": _logcat,
    "pidof": _pidof,
    "printenv": _env,
    "ps": _ps,
    "pwd": _pwd,
    "reboot": _refused,
    "seq": _seq,
    "sleep": _sleep,
    "sync": lambda call: 0,
    "svc": _svc,
    "uname": _uname,
    "uptime": _uptime,
    "which": _which,
    "whoami": _say("shell"),
    "hostname": _say("localhost"),
    "getenforce": _say("Enforcing"),
}
