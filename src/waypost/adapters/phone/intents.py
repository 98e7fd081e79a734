"""The words of `am` in, an intent out: action, address, component, extras."""

import re
from dataclasses import dataclass, field

__all__ = ["Intent", "IntentFault", "intent"]


class IntentFault(Exception):
    """The words make no intent."""


@dataclass(slots=True)
class Intent:
    action: str = ""
    address: str = ""
    component: str = ""
    package: str = ""
    categories: list[str] = field(default_factory=list)
    extras: dict[str, str] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    """Options of `am` itself: `-W`, `-S`."""

    def __str__(self) -> str:
        parts = [f"act={self.action}"] if self.action else []
        if self.categories:
            parts.append(f"cat=[{','.join(self.categories)}]")
        if self.address:
            parts.append(f"dat={self.address}")
        if self.package:
            parts.append(f"pkg={self.package}")
        if self.component:
            parts.append(f"cmp={self.component}")
        if self.extras:
            parts.append("(has extras)")
        return f"Intent {{ {' '.join(parts)} }}"


_EXTRAS = re.compile(r"-e|--e[szilfu]|--ecn|--e[silfd]a|--e[silf]al|--esal")
_VALUED = frozenset(
    ("-t", "-f", "-R", "--user", "--display", "--windowingMode", "--receiver-permission", "-P")
)
_PLAIN = frozenset(("-W", "-S", "-D", "-N", "--stop", "--async"))


def intent(words: list[str]) -> Intent:
    """Read the words after `am start` or `am broadcast`. Raises IntentFault.

    >>> made = intent("-a android.intent.action.MAIN -n com.a/.Main --es msg hello".split())
    >>> made.component, made.extras
    ('com.a/.Main', {'msg': 'hello'})
    """
    made, left = Intent(), list(words)

    def value() -> str:
        if not left:
            raise IntentFault("Error: Argument expected after " + repr(words[-1]))
        return left.pop(0)

    while left:
        word = left.pop(0)
        match word:
            case "-a":
                made.action = value()
            case "-d":
                made.address = value()
            case "-n":
                made.component = value()
            case "-p":
                made.package = value()
            case "-c":
                made.categories.append(value())
            case "--esn":
                made.extras[value()] = ""
            case _ if _EXTRAS.fullmatch(word):
                key = value()
                made.extras[key] = value()
            case _ if word in _VALUED:
                value()
            case _ if word in _PLAIN:
                made.flags.add(word)
            case _ if word.startswith("--"):
                pass
            case _ if word.startswith("-"):
                raise IntentFault(f"Error: Unknown option: {word}")
            case _:
                _bare(made, word)
    return made


def _bare(made: Intent, word: str) -> None:
    """A word without an option is an address, a component, or a package."""
    if "://" in word:
        made.address = word
    elif "/" in word:
        made.component = word
    else:
        made.package = word
