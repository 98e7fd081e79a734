"""Device names as the command line writes them in, open devices out."""

import os
import re
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from pathlib import Path

from waypost.errors import UsageError
from waypost.mapping import MapStore
from waypost.protocols import Device

__all__ = ["DeviceOptions", "DeviceSpec", "adb_server", "app_version", "open_device", "parse_device"]

KINDS = (
    "pocket[:APP], browser:URL, adb:SERIAL[/PACKAGE], wda:URL[#BUNDLE], framework:[HOST:]PORT, "
    "recorded:PATH, pixels[+FINDER]:DEVICE"
)


PIXELS = "pixels"
"""What begins the name of a device whose screens may have to be read off their pictures."""


@dataclass(frozen=True, slots=True)
class DeviceSpec:
    """A device by kind and address."""

    kind: str
    address: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.address}" if self.address else self.kind

    @property
    def innermost(self) -> "DeviceSpec":
        """The device itself, where this one only looks at its pictures."""
        return parse_device(self.address).innermost if self.pictured else self

    @property
    def pictured(self) -> bool:
        """Whether screens without a tree are read off their pictures."""
        return self.kind.split("+")[0] == PIXELS


@dataclass(frozen=True, slots=True)
class DeviceOptions:
    """What some kinds of device can be told besides their address."""

    storage_state: Path | None = None
    """Browser: cookies and storage to start from."""
    init_script: Path | None = None
    """Browser: JavaScript that runs before each page's own."""
    allow_hosts: tuple[str, ...] = ()
    """Browser: hosts inside the fence besides the app's own."""
    cdp: str = ""
    """Browser: address of a Chromium that is already running."""
    seed: int = 0
    """Pocket: seed of its ads, feeds and faults."""
    faults: bool = False
    """Pocket: every fault switched on."""
    uiautomator2: bool = False
    """Android: uiautomator2 reads what the phone's own dump cannot; it puts a file on the phone."""
    sharp: bool = False
    """Browser: pictures as large as the screen, rather than a third of it."""

    def overlaid(self, other: "DeviceOptions | None") -> "DeviceOptions":
        """Return these options with whatever `other` says instead."""
        said = {f.name: v for f in fields(self) if (v := getattr(other, f.name, None))}
        return replace(self, **said)


def parse_device(text: str) -> DeviceSpec:
    """Split a device name. Raises UsageError that lists the kinds.

    >>> parse_device("pocket:mail")
    DeviceSpec(kind='pocket', address='mail')
    >>> parse_device("http://127.0.0.1:5006/")
    DeviceSpec(kind='browser', address='http://127.0.0.1:5006/')
    >>> parse_device("adb:127.0.0.1:5555/org.mail")
    DeviceSpec(kind='adb', address='127.0.0.1:5555/org.mail')
    """
    text = text.strip()
    if re.match(r"https?://", text):
        return DeviceSpec("browser", text)
    kind, _, address = text.partition(":")
    if kind == "pocket":
        return DeviceSpec(kind, address)
    if kind.split("+")[0] == PIXELS:
        return DeviceSpec(kind, str(parse_device(address)))
    if kind in ("browser", "adb", "wda", "framework", "recorded"):
        if not address:
            raise UsageError(
                f"{text!r} names no {'address' if kind != 'adb' else 'serial'}; devices: {KINDS}"
            )
        return DeviceSpec(kind, address)
    from waypost.parts.plugins import named, plugin

    if plugin("device", kind):
        return DeviceSpec(kind, address)
    also = "".join(f", {name}:..." for name in named("device"))
    raise UsageError(f"{text!r} is no device; devices: {KINDS}{also}")


def open_device(spec: DeviceSpec, options: DeviceOptions | None = None, *, discreet: bool = True) -> Device:
    """Open a device that shows nothing private; the caller closes it. Raises UsageError or DeviceError.

    With `discreet` off it shows all that the app does: for who passes it on, and keeps nothing.
    """
    from waypost.adapters.discreet import Discreet

    opened = _opened(spec, options or DeviceOptions())
    return Discreet.over(opened) if discreet else opened


def _opened(spec: DeviceSpec, options: DeviceOptions) -> Device:
    if spec.pictured:
        return _pictured(spec, options)
    match spec.kind:
        case "pocket":
            return _pocket(spec, options)
        case "browser":
            return _browser(spec, options)
        case "adb":
            return _android(spec, options)
        case "wda":
            return _ios(spec)
        case "framework":
            return _framework(spec)
        case "recorded":
            return _recorded(spec)
        case _:
            from waypost.parts.foreign import foreign_device

            device = foreign_device(spec.kind, spec.address)
            if device is None:
                raise UsageError(f"{spec.kind!r} is no kind of device; devices: {KINDS}")
            return device


def _pictured(spec: DeviceSpec, options: DeviceOptions) -> Device:
    from waypost.adapters.pixels import Pictured
    from waypost.parts.pixels import finder

    found = finder(spec.kind)  # What is missing is said before a device is opened.
    return Pictured(_opened(parse_device(spec.address), options), found, name=str(spec))


def _pocket(spec: DeviceSpec, options: DeviceOptions) -> Device:
    from waypost.adapters.pocket import Faults, PocketDevice

    faults = Faults.all_on(options.seed) if options.faults else None
    return PocketDevice(spec.address, seed=options.seed, faults=faults)


def _browser(spec: DeviceSpec, options: DeviceOptions) -> Device:
    from waypost.adapters.browser import BrowserConfig, BrowserDevice

    for path, name in ((options.storage_state, "--storage-state"), (options.init_script, "--init-script")):
        if path is not None and not path.is_file():
            raise UsageError(f"{name}: there is no file {str(path)!r}")
    config = BrowserConfig(
        storage_state=options.storage_state,
        init_script=options.init_script,
        allow_hosts=options.allow_hosts,
        cdp=options.cdp,
    )
    return BrowserDevice(spec.address, config=config, shot_scale="device" if options.sharp else "css")


def _android(spec: DeviceSpec, options: DeviceOptions) -> Device:
    from waypost.adapters.android import AdbShell, AndroidConfig, AndroidDevice

    if find_spec("adbutils") is None:
        raise UsageError('Phones need adbutils: pip install "waypost[android]"')
    serial, _, app = spec.address.partition("/")
    helper = None
    if options.uiautomator2:
        from waypost.adapters.android.helper import uiautomator2_helper

        helper = uiautomator2_helper(serial)
    host, port = adb_server()
    return AndroidDevice(AdbShell(serial, host=host, port=port), AndroidConfig(app, helper))


def app_version(device: Device, app: str) -> str:
    """Return the version of an app on a device; empty where the device cannot tell."""
    told = getattr(device, "app_version", None)
    return str(told(app)) if told is not None else ""


def adb_server() -> tuple[str, int]:
    """Return where the adb server is, as its own variables say. Raises UsageError."""
    host = os.environ.get("ANDROID_ADB_SERVER_HOST") or "127.0.0.1"
    port = os.environ.get("ANDROID_ADB_SERVER_PORT") or "5037"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise UsageError(f"ANDROID_ADB_SERVER_PORT is {port!r}, which is no port")
    return host, int(port)


def _ios(spec: DeviceSpec) -> Device:
    from waypost.adapters.ios import IosDevice

    url, _, bundle = spec.address.partition("#")
    return IosDevice(url, app=bundle)


def _framework(spec: DeviceSpec) -> Device:
    from waypost.adapters.framework import FrameworkDevice

    return FrameworkDevice(spec.address)


def _recorded(spec: DeviceSpec) -> Device:
    from waypost.adapters.recorded import RecordedDevice, load_recording, recording_of

    path = Path(spec.address).expanduser()
    if (path / "map.sqlite").is_file():
        store = MapStore.open(path, readonly=True)
        try:
            return RecordedDevice(recording_of(store.load()), name=str(spec))
        finally:
            store.close()
    return RecordedDevice(load_recording(path), name=str(spec))
