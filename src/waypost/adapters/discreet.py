"""A device that shows nothing private: what it shows in, the same with secrets and addresses cut out, out.

Everything that is written down or told to a model comes by here first, so that what reads a screen and
what reads the map agree: a row that names a person's address is called `[e-mail]` in both.
"""

import io
import re
from dataclasses import replace

from waypost.adapters.through import Through
from waypost.model import Bounds, Element, ImageStatus, Observation, Screen
from waypost.model.private import private_parts, withheld
from waypost.protocols import Device

__all__ = ["Discreet", "boxed", "discreet"]

_ASKED = re.compile(
    r"([?&#](?:[\w-]*(?:token|secret|password|passwd|auth|session|api_?key)|sid|otp|code)=)[^&#]+", re.I
)


class Discreet(Through):
    """Cuts out of every look what is private."""

    @classmethod
    def over(cls, device: Device) -> "Discreet":
        """Wrap a device that is not wrapped yet."""
        return device if isinstance(device, Discreet) else cls(device)

    def observe(self, *, pixels: bool = False) -> Observation:
        seen = self._device.observe(pixels=pixels)
        screen = discreet(seen.screen)
        if screen is seen.screen:
            return seen
        if not seen.image:
            return replace(seen, screen=screen)
        try:
            return replace(seen, screen=screen, image=boxed(seen.image, seen.screen))
        except ValueError:
            # A picture that cannot be read cannot be covered: it is not kept.
            return replace(seen, screen=screen, image=b"", image_status=ImageStatus.FAILED)


def discreet(screen: Screen) -> Screen:
    """Return the screen without what is private; the very same one where nothing is.

    >>> shown = Screen(Element(text="Signed in as ann@example.org"), activity="/reset?token=ab12&lang=en")
    >>> discreet(shown).root.text, discreet(shown).activity
    ('Signed in as [e-mail]', '/reset?token=[secret]&lang=en')
    """
    root, title, activity = _element(screen.root), withheld(screen.title), _asked(screen.activity)
    if root is screen.root and title == screen.title and activity == screen.activity:
        return screen
    return replace(screen, root=root, title=title, activity=activity)


def _element(element: Element) -> Element:
    children = tuple(map(_element, element.children)) if element.children else ()
    text = "[secret]" if element.password and element.text else withheld(element.text)
    description, hint, href = withheld(element.description), withheld(element.hint), _asked(element.href)
    same = text == element.text and description == element.description and hint == element.hint
    if same and href == element.href and all(map(_is, children, element.children)):
        return element
    return replace(element, text=text, description=description, hint=hint, href=href, children=children)


def _is(one: Element, other: Element) -> bool:
    return one is other


def _asked(address: str) -> str:
    return _ASKED.sub(r"\1[secret]", address) if "=" in address else address


def boxed(picture: bytes, screen: Screen) -> bytes:
    """Draw black over what is private, at the picture's own size. ValueError where it cannot be read."""
    from PIL import Image, ImageDraw, UnidentifiedImageError

    parts = private_parts(screen)
    if not parts:
        return picture
    try:
        with Image.open(io.BytesIO(picture)) as opened:
            image = opened.convert("RGB")
    except (OSError, UnidentifiedImageError, Image.DecompressionBombError) as e:
        raise ValueError(f"a screenshot cannot be read: {e}") from e
    across, down = image.width / max(1, screen.size[0]), image.height / max(1, screen.size[1])
    draw = ImageDraw.Draw(image)
    for part in parts:
        draw.rectangle(_scaled(part, across, down), fill=(0, 0, 0))
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _scaled(part: Bounds, across: float, down: float) -> tuple[float, float, float, float]:
    left, top = part.left * across, part.top * down
    return left, top, max(left, part.right * across), max(top, part.bottom * down)
