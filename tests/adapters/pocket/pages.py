"""Names of pocket apps in, each of their pages as just opened out."""

from collections.abc import Iterator

from waypost.adapters.pocket import PocketDevice, apps, load
from waypost.adapters.pocket.spec import Go
from waypost.model import Screen

__all__ = ["pocket_screens"]


def pocket_screens(*names: str) -> Iterator[tuple[str, Screen]]:
    """Yield every page of pocket apps (all, where none is named) as just opened, by its true name."""
    for app in names or apps():
        spec = load(app)
        for page in spec.pages.values():
            phone = PocketDevice(app)
            session = phone.session()
            under = page.id.partition("+")[0]
            session.vars.update({k: True for k in ("signed_in", "welcomed") if k in session.vars})
            for name in (under, page.id):
                if name and name != session.top.page.id:
                    session.run((Go(name, table=spec.pages[name].item),))
            session.splash, session.prompt, session.ad = 0, "", False
            screen = phone.observe().screen
            assert phone.where() == spec.full(page.id)
            yield spec.full(page.id), screen
