"""A dialog of the browser itself, shown as a layer that can be tapped: question in, Screen out."""

import io
from dataclasses import dataclass, replace

from waypost.model import Bounds, Element, Point, Role, Screen

__all__ = ["Held"]

ROW = 144
MARGIN = 90


@dataclass(frozen=True, slots=True)
class Held:
    """A question that the page cannot draw itself: alert, confirm, prompt, or a native list of choices."""

    overlay: str
    """Who asks: `javascript`, or empty where it is the app's own list of choices."""
    message: str
    choices: tuple[str, ...]
    chosen: int = -1
    field: str | None = None
    """Text so far, where an answer is to be typed."""
    offset: int = 0
    """Choices scrolled out above."""

    def rows(self, size: tuple[int, int]) -> list[tuple[int, Bounds]]:
        """Return the choices in view with where they lie."""
        width, height = size
        room = max(
            1, (height - 4 * ROW) // ROW - (1 if self.message else 0) - (1 if self.field is not None else 0)
        )
        shown = range(self.offset, min(len(self.choices), self.offset + room))
        top = self._top(size, len(shown)) + ROW * (
            (1 if self.message else 0) + (1 if self.field is not None else 0)
        )
        return [
            (i, Bounds(MARGIN, top + ROW * n, width - MARGIN, top + ROW * (n + 1)))
            for n, i in enumerate(shown)
        ]

    def _top(self, size: tuple[int, int], shown: int) -> int:
        lines = shown + (1 if self.message else 0) + (1 if self.field is not None else 0)
        return max(ROW, (size[1] - lines * ROW) // 2)

    def hit(self, at: Point, size: tuple[int, int]) -> int | None:
        """Return which choice lies at a point, if any."""
        return next((i for i, b in self.rows(size) if b.contains(*at)), None)

    def scrolled(self, rows: int, size: tuple[int, int]) -> "Held":
        """Scroll the list of choices; positive shows what is further down."""
        room = len(self.rows(size))
        last = max(0, len(self.choices) - room)
        return replace(self, offset=min(last, max(0, self.offset + rows)))

    def over(self, screen: Screen) -> Screen:
        """Lay the question over a screen; what lies below can no longer be touched."""
        rows = self.rows(screen.size)
        top = self._top(screen.size, len(rows))
        width = screen.size[0]
        parts: list[Element] = []
        if self.message:
            box = Bounds(MARGIN, top, width - MARGIN, top + ROW)
            parts.append(Element(Role.TEXT, "dialog-message", text=self.message, bounds=box))
            top += ROW
        if self.field is not None:
            box = Bounds(MARGIN, top, width - MARGIN, top + ROW)
            parts.append(Element(Role.FIELD, "dialog-field", text=self.field, bounds=box, clickable=True))
        kind = Role.BUTTON if self.overlay else Role.MENUITEM
        for i, box in rows:
            parts.append(
                Element(
                    kind,
                    "dialog-choice",
                    self.choices[i],
                    bounds=box,
                    clickable=True,
                    selected=i == self.chosen,
                )
            )
        hull = Bounds(MARGIN, parts[0].bounds.top, width - MARGIN, parts[-1].bounds.bottom)
        layer = Element(
            role=Role.DIALOG if self.overlay else Role.MENU,
            class_name="browser-dialog",
            bounds=hull,
            scrollable=len(rows) < len(self.choices),
            children=tuple(parts),
        )
        below = tuple(_faded(c) for c in screen.root.children)
        root = replace(screen.root, children=(*below, layer), scrollable=False)
        return replace(screen, root=root, overlay=self.overlay, keyboard=False)

    def picture(self, size: tuple[int, int], below: bytes) -> bytes:
        """Draw the question over a dimmed picture of the page (PNG), at a third of the size in pixels."""
        from PIL import Image, ImageDraw, ImageFont

        width, height = size[0] // 3, size[1] // 3
        if below:
            page = Image.open(io.BytesIO(below)).convert("RGB").resize((width, height))
            canvas = Image.blend(page, Image.new("RGB", page.size, "black"), 0.5)
        else:
            canvas = Image.new("RGB", (width, height), (90, 90, 90))
        pen, font = ImageDraw.Draw(canvas), ImageFont.load_default(16)
        layer = self.over(Screen(size=size)).root.children[-1]
        for part in (layer, *layer.children):
            box = [v // 3 for v in (part.bounds.left, part.bounds.top, part.bounds.right, part.bounds.bottom)]
            pen.rectangle(box, fill="white", outline=(200, 200, 200))
            if part.text:
                pen.text((box[0] + 12, box[1] + 14), part.text[:40], fill="black", font=font)
        out = io.BytesIO()
        canvas.save(out, "PNG")
        return out.getvalue()


def _faded(element: Element) -> Element:
    return replace(
        element,
        visible=False,
        focused=False,
        bounds=Bounds(0, 0, 0, 0),
        children=tuple(_faded(c) for c in element.children),
    )
