"""A device name in, that device served as an Android phone out."""

from collections.abc import Callable
from dataclasses import replace

from waypost.adapters.phone import App, HandsetConfig, Phone
from waypost.errors import UsageError
from waypost.parts.devices import DeviceOptions, DeviceSpec, open_device

__all__ = ["open_phone"]


def open_phone(
    spec: DeviceSpec,
    options: DeviceOptions | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 5555,
    note: Callable[[str], None] = lambda _: None,
) -> Phone:
    """Open a device and serve it; the caller closes the phone. Raises UsageError or DeviceError."""
    if spec.kind == "adb":
        raise UsageError(f"{spec} is an Android phone already; connect to it with adb itself")
    device = open_device(spec, replace(options or DeviceOptions(), sharp=True), discreet=False)
    config = HandsetConfig(
        model=str(spec) if spec.kind != "browser" else "browser",
        apps=_apps(spec),
        back_hides_keyboard=spec.kind == "pocket",
        serial=f"waypost-{spec.kind}",
    )
    phone = Phone(device, config, host=host, port=port, note=note)
    try:
        phone.start()
        phone.handset.window()  # What is in front counts as installed from now on.
    except BaseException:
        phone.close()
        raise
    return phone


def _apps(spec: DeviceSpec) -> tuple[App, ...]:
    """Say what can be launched before anything was seen; elsewhere, what is in front is seen at once."""
    if spec.kind != "pocket":
        return ()
    from waypost.adapters.pocket import apps
    from waypost.adapters.pocket.load import load

    name, _, build = spec.address.partition("@")
    installed = {app: load(app) for app in apps()} | ({name: load(spec.address)} if build else {})
    return tuple(App(s.package, s.version) for s in installed.values())
