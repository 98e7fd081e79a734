"""`am` and `monkey`: apps started and stopped, and broadcasts that type text."""

import re

from waypost.adapters.phone.broadcasts import broadcast
from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.intents import Intent, IntentFault, intent
from waypost.errors import DeviceError
from waypost.model import Press

__all__ = ["PROGRAMS", "run_am"]

_WEB = re.compile(r"https?://[^\s\"'<>\\^`{|}]+", re.IGNORECASE)


def run_am(call: Call) -> int:
    """Do what `am` and `cmd activity` are asked."""
    words = list(call.args)
    command = words.pop(0) if words else ""
    try:
        match command:
            case "start" | "start-activity":
                return _start(call, intent(words))
            case "broadcast":
                return broadcast(call, intent(words))
            case "force-stop" | "kill":
                return _stop(call, words)
            case "kill-all":
                return 0
            case "get-current-user":
                call.out("0")
                return 0
            case "startservice" | "start-service" | "start-foreground-service":
                made = intent(words)
                call.out(f"Starting service: {made}")
                call.err("Error: Not found; no service started.")
                return 255
            case "instrument":
                call.out(f"INSTRUMENTATION_FAILED: {words[-1] if words else ''}")
                return 1
            case _:
                call.err(
                    f"Unknown command: {command}\nActivity manager (activity) commands: start, broadcast, "
                    "force-stop, kill, get-current-user"
                )
                call.handset.note(f"unknown command: {' '.join(call.argv)[:200]!r}")
                return 255
    except IntentFault as e:
        call.err(str(e))
        return 255


def _start(call: Call, made: Intent) -> int:
    call.out(f"Starting: {made}")
    hand = call.handset
    if "android.intent.category.HOME" in made.categories:
        hand.act(Press("home"), call.gone)
        return 0
    package = made.component.partition("/")[0] or made.package
    if not package and made.address:
        return _view(call, made)
    if not package or hand.names.app(package) is None:
        if made.component:
            call.err(f"Error type 3\nError: Activity class {{{made.component}}} does not exist.")
        else:
            call.err(f"Error: Activity not started, unable to resolve {made}")
        return 1
    if made.address and _WEB.fullmatch(made.address):
        return _view(call, made)
    hand.launch(package, call.gone, fresh="-S" in made.flags)
    if "-W" in made.flags:
        window = hand.window(call.gone)
        call.out(
            f"Status: ok\nLaunchState: COLD\nActivity: {window.component}\nTotalTime: 100\nWaitTime: 100"
        )
        call.out("Complete")
    return 0


def _view(call: Call, made: Intent) -> int:
    if not _WEB.fullmatch(made.address):
        call.err(f"Error: Activity not started, unable to resolve {made}")
        return 1
    try:
        call.handset.open_address(made.address, call.gone)
    except DeviceError as e:
        call.handset.note(f"{made.address[:200]!r} was not opened: {e}")
        call.err(f"Error: Activity not started, unable to resolve {made}")
        return 1
    return 0


def _stop(call: Call, words: list[str]) -> int:
    names = [w for w in words if not w.startswith("-") and not w.isdecimal()]
    if not names:
        call.err("Error: Argument expected after " + repr(call.argv[-1]))
        return 255
    call.handset.stop(names[0], call.gone)
    return 0


def _monkey(call: Call) -> int:
    """Launch by package, the one use that clients make of it; it never pokes about at random here."""
    args = list(call.args)
    package = args[args.index("-p") + 1] if "-p" in args[:-1] else ""
    events = int(args[-1]) if args and args[-1].isdecimal() else 0
    call.err(f"  bash arg: {'  bash arg: '.join(a + chr(10) for a in args)}".rstrip())
    known = call.handset.names.app(package)
    if known is None:
        call.out("** No activities found to run, monkey aborted.")
        return 252
    call.handset.launch(package, call.gone)
    if events > 1:
        call.handset.note("monkey launched the app, and made none of the random events that it was asked for")
    call.out(f"Events injected: {min(1, events)}")
    call.out("## Network stats: elapsed time=20ms (0ms mobile, 0ms wifi, 20ms not connected)")
    return 0


PROGRAMS: dict[str, Program] = {"am": run_am, "monkey": _monkey}
