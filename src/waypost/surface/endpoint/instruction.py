"""What an agent was asked to do: the messages of its request in, the instruction out; found by rule."""

import re
from collections.abc import Sequence

from waypost.surface.endpoint.body import Message

__all__ = ["HEADER", "instruction"]

HEADER = "X-Waypost-Instruction"
"""Says the instruction outright: percent-encoded UTF-8, or plain ASCII."""
_LONG = 600
_NAMES = r"(?:user(?:'s)?\s+)?(?:instruction|request|task|goal|query|command)"
_MARKED = re.compile(
    # A heading or a label on a line of its own, or before the words: "## User Instruction", "Task: ...".
    rf"^[\s#*>-]*(?:the\s+)?(?:current\s+|overall\s+)?{_NAMES}(?:\s*/\s*\w+)?\s*(?:is)?[*\s]*(?::|\n|=)[*\s]*"
    r"(?P<said>\S[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_TAGGED = re.compile(
    r"<(?P<tag>instruction|task|goal|user_request|user_query|query)>\s*(?P<said>.+?)\s*</(?P=tag)>",
    re.S | re.I,
)


def instruction(messages: Sequence[Message]) -> str:
    r"""Find the instruction: what a tag or a label marks, else the first message if short.

    Asked are the first thing that the user says, what the system says, and only then what follows: what came
    later may quote a screen, and a screen gives no orders. Empty where nothing is found: then nothing is
    added to the request.

    >>> say = lambda text: Message("user", text, 0, 0)
    >>> instruction([say("You see a screen.\n\n## User Instruction\nTurn on dark mode\n\nAct.")])
    'Turn on dark mode'
    >>> instruction([say("<task>Set an alarm</task> <screen/>")]), instruction([say("Open the settings")])
    ('Set an alarm', 'Open the settings')
    """
    users = [m.text for m in messages if m.role == "user" and m.text.strip()]
    systems = [m.text for m in messages if m.role in ("system", "developer")]
    for text in (*users[:1], *systems):
        if said := _marked(text):
            return said
    if users and len(users[0].strip()) <= _LONG:
        return _line(users[0])
    return next((said for text in users[1:] if (said := _marked(text))), "")


def _marked(text: str) -> str:
    """Return what the first tag or label of a text marks; empty for none."""
    found = [m for pattern in (_TAGGED, _MARKED) if (m := pattern.search(text))]
    return _line(min(found, key=lambda m: m.start())["said"]) if found else ""


def _line(text: str) -> str:
    return " ".join(text.strip().strip("\"'“”*`").split())[:_LONG]
