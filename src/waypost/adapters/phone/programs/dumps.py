"""`dumpsys`: what the services of the phone say of themselves, in Android's forms."""

import re
from collections.abc import Callable

from waypost.adapters.phone.calls import Call, Program
from waypost.adapters.phone.handset import Window
from waypost.adapters.phone.settings import SDK

__all__ = ["PROGRAMS", "package_dump"]

_UNSAFE = r"[^!-~]|[{}\"]"


def _window(call: Call, words: list[str]) -> int:
    front = call.handset.window(call.gone)
    size = front.screen.size
    keyboard = front.screen.keyboard
    if words[:1] not in (["displays"], ["d"]):
        call.out("WINDOW MANAGER WINDOWS (dumpsys window windows)")
        if keyboard:
            call.out(
                "  Window #0 Window{7a1b2c0 u0 InputMethod}:\n    mHasSurface=true isReadyForDisplay()=true"
            )
        call.out(f"  Window #{int(keyboard)} Window{{5c0ffee u0 {front.component}}}:")
        call.out(f"    mDisplayId=0 rootTaskId=1 package={front.package}")
        flags = (
            "LAYOUT_IN_SCREEN SECURE" if call.handset.forbids_pictures(front.screen) else "LAYOUT_IN_SCREEN"
        )
        call.out(f"    mAttrs={{(0,0)(fillxfill) ty=BASE_APPLICATION fl={flags}}}")
        call.out("    mHasSurface=true isReadyForDisplay()=true")
    call.out(f"  mCurrentFocus=Window{{5c0ffee u0 {front.component}}}")
    call.out(f"  mFocusedApp=ActivityRecord{{1a2b3c4 u0 {front.app} t1}}")
    call.out(f"  mRotation={front.screen.rotation}\n  mDisplayFrozen=false")
    call.out(f"  init={size[0]}x{size[1]} cur={size[0]}x{size[1]} app={size[0]}x{size[1]}")
    call.out("  mDreamingLockscreen=false mShowingLockscreen=false isKeyguardShowing=false")
    call.out(f"  screenState=SCREEN_STATE_{'ON' if call.handset.awake else 'OFF'}")
    return 0


def _activity(call: Call, words: list[str]) -> int:
    front = call.handset.window(call.gone)
    pid = call.handset.running().get(front.package, 0)
    if words[:1] == ["top"]:
        call.out(f"TASK {front.package} id=1 userId=0")
        call.out(f"  ACTIVITY {front.component} 1a2b3c4 pid={pid}")
        call.out("    mResumed=true mStopped=false mFinished=false")
        return 0
    package = front.app.partition("/")[0]
    record = f"ActivityRecord{{1a2b3c4 u0 {front.app} t1}}"
    call.out("ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)")
    call.out("Display #0 (activities from top to bottom):")
    call.out(f"  * Task{{d00d1e5 #1 type=standard A=10100:{package} U=0 visible=true}}")
    call.out(f"    * Hist  #0: {record}")
    call.out(f"      packageName={package} processName={package}")
    call.out(f"      Intent {{ act=android.intent.action.MAIN {_address(front)}cmp={front.app} }}")
    call.out(f'      taskDescription: label="{_inert(front.screen.title)}" icon=null')
    call.out(f"    mResumedActivity: {record}")
    call.out(f"  topResumedActivity={record}\n  ResumedActivity: {record}")
    return 0


def _address(front: Window) -> str:
    """The web address that is showing, as the intent that opened it would name it."""
    screen = front.screen
    if not re.match(r"https?://", screen.app):
        return ""
    return f"dat={re.sub(_UNSAFE, _percent, screen.app + screen.activity)} "


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))


def _inert(text: str) -> str:
    """Keep a page's words from passing for lines or ends of the dump."""
    return re.sub(r"[\x00-\x1f\x7f\u0085\u2028\u2029\"{}=]", " ", text)[:200]


def _input_method(call: Call, words: list[str]) -> int:
    shown = str(call.handset.window(call.gone).screen.keyboard).lower()
    keyboard = call.handset.settings.keyboard
    call.out("Current Input Method Manager state:")
    call.out(f"  mCurMethodId={keyboard} mCurSeq=1")
    call.out(f"  mShowRequested={shown} mShowExplicitlyRequested=false mShowForced=false mInputShown={shown}")
    call.out(f"  mSystemReady=true mInteractive={str(call.handset.awake).lower()}")
    call.out(f"Input method service state:\n  mDecorViewVisible={shown} mIsInputViewShown={shown}")
    return 0


def _display(call: Call, words: list[str]) -> int:
    screen = call.handset.window(call.gone).screen
    width, height = screen.size
    state = "ON" if call.handset.awake else "OFF"
    call.out("DISPLAY MANAGER (dumpsys display)")
    call.out(f"  mScreenState={state}\n  mGlobalDisplayState={state}")
    call.out(
        f"  mViewports=[DisplayViewport{{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        f"uniqueId='local:0', physicalPort=0, orientation={screen.rotation}, "
        f"logicalFrame=Rect(0, 0 - {width}, {height}), physicalFrame=Rect(0, 0 - {width}, {height}), "
        f"deviceWidth={width}, deviceHeight={height}}}]"
    )
    call.out(f"    mCurrentOrientation={screen.rotation}")
    return 0


def _power(call: Call, words: list[str]) -> int:
    awake = call.handset.awake
    call.out("POWER MANAGER (dumpsys power)")
    call.out(f"  mWakefulness={'Awake' if awake else 'Asleep'}\n  mStayOn=true\n  mIsPowered=true")
    call.out(f"  mHoldingDisplaySuspendBlocker={str(awake).lower()}")
    call.out(f"Display Power: state={'ON' if awake else 'OFF'}")
    return 0


def _battery(call: Call, words: list[str]) -> int:
    call.out("Current Battery Service state:")
    for line in (
        "AC powered: true",
        "USB powered: false",
        "Wireless powered: false",
        "Dock powered: false",
        "Max charging current: 0",
        "Max charging voltage: 0",
        "Charge counter: 10000",
        "status: 5",
        "health: 2",
        "present: true",
        "level: 100",
        "scale: 100",
        "voltage: 5000",
        "temperature: 250",
        "technology: Li-ion",
    ):
        call.out(f"  {line}")
    return 0


def _package(call: Call, words: list[str]) -> int:
    return package_dump(call, words[0] if words else "")


def package_dump(call: Call, name: str) -> int:
    """Say what is known of one package, or of each where no name is given."""
    known = call.handset.names
    if name and known.app(name) is None:
        call.out(f"Unable to find package: {name}")
        return 0
    call.out("Packages:")
    for package in [name] if name else known.packages():
        app = known.app(package)
        version = app.version if app else "1.0"
        call.out(f"  Package [{package}] (1a2b3c4):\n    userId=10100")
        call.out(f"    pkg=Package{{5d5e5f0 {package}}}\n    codePath=/data/app/{package}")
        call.out(f"    versionCode={_code(version)} minSdk=24 targetSdk={SDK}")
        call.out(f"    versionName={_inert(version).strip() or 'null'}")
        call.out(
            "    signatures=PackageSignatures{a0b1c2 version:2, signatures:[77617970], past signatures:[]}"
        )
        call.out("    pkgFlags=[ HAS_CODE ALLOW_CLEAR_USER_DATA ]")
    return 0


def _code(version: str) -> int:
    parts = [min(int(n), 99) for n in re.findall(r"\d+", version)[:3]]
    return sum(n * 100**i for i, n in enumerate(reversed([*parts, 0, 0, 0][:3]))) or 1


def _surface(call: Call, words: list[str]) -> int:
    call.out('Display 4619827259835644672 (HWC display 0): port=0 pnpId=WPT displayName="Waypost"')
    return 0


_SERVICES: dict[str, Callable[[Call, list[str]], int]] = {
    "SurfaceFlinger": _surface,
    "activity": _activity,
    "battery": _battery,
    "display": _display,
    "input_method": _input_method,
    "package": _package,
    "power": _power,
    "window": _window,
}


def _dumpsys(call: Call) -> int:
    words = list(call.args)
    if words[:1] in (["-l"], []):
        call.out("Currently running services:\n" + "\n".join(f"  {s}" for s in sorted(_SERVICES)))
        return 0
    if words[0] == "-t":
        del words[:2]
    service = _SERVICES.get(words[0]) if words else None
    if service is None:
        call.handset.note(f"unknown command: {' '.join(call.argv)[:200]!r}")
        call.err(f"Can't find service: {words[0] if words else ''}")
        return 0
    return service(call, words[1:])


PROGRAMS: dict[str, Program] = {"dumpsys": _dumpsys}
