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
_TAKEN = frozenset(("-a", "-d", "-n", "-p", "-c"))
_PLAIN = frozenset(("-W", "-S", "-D", "-N", "--stop", "--async"))


def intent(words: list[str]) -> Intent:
    """Read the words after `am start` or `am broadcast`. Raises IntentFault.

    >>> made = intent("-a android.intent.action.MAIN -n com.a/.Main --es msg hello".split())
    >>> made.component, made.extras
    ('com.a/.Main', {'msg': 'hello'})
    """
    made, left = Intent(), list(words)
    while left:
        word = left.pop(0)
        if word in _PLAIN:
            made.flags.add(word)
        elif word in _TAKEN or word in _VALUED:
            _option(made, word, _values(word, left, 1)[0])
        elif word == "--esn":
            made.extras[_values(word, left, 1)[0]] = ""
        elif _EXTRAS.fullmatch(word):
            key, value = _values(word, left, 2)
            made.extras[key] = value
        elif word.startswith("-") and not word.startswith("--"):
            raise IntentFault(f"Error: Unknown option: {word}")
        elif not word.startswith("-"):
            _bare(made, word)
    return made


def _values(word: str, left: list[str], count: int) -> list[str]:
    if len(left) < count:
        raise IntentFault(f"Error: Argument expected after {word!r}")
    found = left[:count]
    del left[:count]
    return found


def _option(made: Intent, word: str, value: str) -> None:
    match word:
        case "-a":
            made.action = value
        case "-d":
            made.address = value
        case "-n":
            made.component = value
        case "-p":
            made.package = value
        case "-c":
            made.categories.append(value)


def _bare(made: Intent, word: str) -> None:
    """A word without an option is an address, a component, or a package."""
    if "://" in word:
        made.address = word
    elif "/" in word:
        made.component = word
    else:
        made.package = word
