"""`pm` and `cmd`: what is installed, and the services behind `cmd NAME`."""

from dataclasses import replace

from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.programs.activity import run_am
from waypost.adapters.phone.programs.pointing import run_input
from waypost.adapters.phone.programs.tables import ime, wm

__all__ = ["PROGRAMS"]


_RESTRICTED = "Failure [INSTALL_FAILED_USER_RESTRICTED: a served device takes no apps]"
_REFUSALS = {
    "clear": "Failed",
    "grant": "Operation not allowed: permissions are asked for on the screen here",
    "install": _RESTRICTED,
    "install-create": _RESTRICTED,
    "revoke": "Operation not allowed: permissions are asked for on the screen here",
    "uninstall": "Failure [DELETE_FAILED_USER_RESTRICTED]",
}


def _pm(call: Call) -> int:
    args = list(call.args)
    match args:
        case ["list", "packages" | "package", *rest]:
            return _list(call, rest)
        case ["list", "users"]:
            call.out("Users:\n\tUserInfo{0:Owner:4c13} running")
        case ["list", *_]:
            pass
        case ["path", *rest] if rest:
            return _path(call, rest[-1])
        case ["dump", name]:
            from waypost.adapters.phone.programs.dumps import package_dump

            return package_dump(call, name)
        case ["resolve-activity", *rest] if rest:
            return _resolve(call, rest)
        case [command, *_] if command in _REFUSALS:
            return _refuse(call, _REFUSALS[command])
        case _:
            call.err(f"Unknown command: {' '.join(args)[:80]}\nPackage manager commands: list, path, dump")
            return 255
    return 0


def _refuse(call: Call, why: str) -> int:
    call.handset.note(f"{' '.join(call.argv)[:120]!r} was refused: {why}")
    call.out(why)
    return 1


def _list(call: Call, words: list[str]) -> int:
    if "--user" in words:
        at = words.index("--user")
        del words[at : at + 2]
    asked = {w for w in words if w.startswith("-")}
    wanted = next((w for w in words if not w.startswith("-")), "")
    if asked & {"-s", "-d"} and "-3" not in asked:
        return 0
    for name in call.handset.names.packages():
        if wanted in name:
            path = f"/data/app/{name}/base.apk=" if "-f" in asked else ""
            call.out(f"package:{path}{name}")
    return 0


def _path(call: Call, name: str) -> int:
    if call.handset.names.app(name) is None:
        return 1
    call.out(f"package:/data/app/{name}/base.apk")
    return 0


def _resolve(call: Call, words: list[str]) -> int:
    name = words[-1]
    if call.handset.names.app(name) is None:
        call.out("No activity found")
        return 0
    call.out("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true")
    call.out(f"{name}/.Main")
    return 0


_CLIPBOARD = """Clipboard service (clipboard) commands:
  get-text | get-primary-clip
  set-text TEXT | set-primary-clip TEXT
  clear | clear-primary-clip"""


def _clipboard(call: Call) -> int:
    match call.args:
        case ["get-primary-clip" | "get-text" | "get", *_]:
            call.out(call.handset.clipboard)
        case ["set-primary-clip" | "set-text" | "set", text, *_]:
            call.handset.clipboard = text
        case ["clear-primary-clip" | "clear", *_]:
            call.handset.clipboard = ""
        case ["help" | "-h"] | []:
            call.out(_CLIPBOARD)
        case _:
            call.err(_CLIPBOARD)
            return 255
    return 0


def _uimode(call: Call) -> int:
    call.out("Night mode: no")
    return 0


_SERVICES: dict[str, Program] = {
    "activity": run_am,
    "clipboard": _clipboard,
    "input": run_input,
    "input_method": ime,
    "package": _pm,
    "uimode": _uimode,
    "window": wm,
}


def _cmd(call: Call) -> int:
    if call.args[:1] in (("-l",), ()):
        call.out("Currently running services:\n" + "\n".join(f"  {s}" for s in sorted(_SERVICES)))
        return 0
    service = _SERVICES.get(call.args[0])
    if service is None:
        call.handset.note(f"unknown command: {' '.join(call.argv)[:200]!r}")
        call.err(f"cmd: Can't find service: {call.args[0]}")
        return 20
    return service(replace(call, argv=call.args))


PROGRAMS: dict[str, Program] = {"cmd": _cmd, "pm": _pm}
