"""mobilerun (DroidRun) with the way in its goal: a wish in, the goal to start it with out.

It has a loop of its own that nothing outside is asked in, so that the way is told once, open loop:

    agent = DroidAgent(goal=goal("Show the world clock", "clock"), config=config)
    await agent.run()
"""

import waypost


def goal(wish: str, map: str) -> str:
    """Return the wish with where to go and by which pages; the wish alone where the map has no such page."""
    with waypost.guide(map, wish) as guide:  # Waypost: open the map with the wish
        return f"{wish}\n\n{guide.block}" if guide.found else wish  # Waypost: where to go, once
