"""Print how many steps (one action and one look, no pixels) the embedded phone makes a second on one core."""

import random
import time

from waypost.adapters.pocket import PocketDevice, apps
from waypost.model import Press, Swipe, Tap, Wait


def walk(app: str, steps: int) -> float:
    """Tap at random on what can be tapped; returns steps a second."""
    rng = random.Random(0)
    device = PocketDevice(app)
    screen = device.observe().screen
    began = time.process_time()
    for i in range(steps):
        spots = [e.bounds.center for e in screen.visible() if e.clickable]
        if not spots:
            device.perform(rng.choice((Wait(1.0), Press("back"))))
        elif i % 10 == 9:
            device.perform(Press("back"))
        elif i % 10 == 4:
            device.perform(Swipe())
        else:
            device.perform(Tap(rng.choice(spots)))
        if device.where() == "launcher/home":
            device.restart()
        screen = device.observe().screen
    return steps / (time.process_time() - began)


if __name__ == "__main__":
    for app in apps():
        print(f"{app:12} {walk(app, 3000):8.0f} steps/s")
