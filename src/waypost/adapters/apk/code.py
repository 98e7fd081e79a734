"""What an app's code does on the screen: classes of a DEX file in, layouts shown and activities opened out.

Each method is read once from top to bottom with the last known value of every register; no branch is
followed. So what is found is what the code says somewhere, not that it ever happens.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Code", "home", "plain_class"]

_LISTENER = "setOnClickListener(Landroid/view/View$OnClickListener;)V"
_INTENTS = (
    "<init>(Landroid/content/Context; Ljava/lang/Class;)V",
    "setClass(Landroid/content/Context; Ljava/lang/Class;)Landroid/content/Intent;",
)


def plain_class(descriptor: str) -> str:
    """Turn a descriptor into a class name.

    >>> plain_class("Lorg/mail/Main$1;")
    'org.mail.Main$1'
    """
    return descriptor.removeprefix("L").removesuffix(";").replace("/", ".")


def home(name: str, activities: frozenset[str] = frozenset()) -> str:
    """Return whose code a class's is: the nearest activity around it, else the outermost class.

    >>> home("org.mail.Main$1"), home("org.mail.Main$Login$2", frozenset({"org.mail.Main$Login"}))
    ('org.mail.Main', 'org.mail.Main$Login')
    """
    around = name
    while "$" in around and around not in activities:
        around = around.rpartition("$")[0]
    return around


@dataclass
class Code:
    """What was found, by class; views and resources by number."""

    activities: frozenset[str] = frozenset()
    """Activities may be written inside of other classes."""
    layouts: dict[str, set[int]] = field(default_factory=dict)
    menus: dict[str, set[int]] = field(default_factory=dict)
    opens: set[tuple[str, str, str]] = field(default_factory=set)
    """Class, method, and the class that an intent in it names."""
    listens: set[tuple[str, int, str]] = field(default_factory=set)
    """Class, view, and the class that listens to taps on the view."""
    asks: set[str] = field(default_factory=set)
    starts: int = 0
    """Places in the code that start an activity."""
    handlers: int = 0
    """Methods that handle taps."""
    supers: dict[str, str] = field(default_factory=dict)
    texts: dict[str, set[str]] = field(default_factory=dict)
    """Texts that the code of a class holds."""

    def inherited(self, found: dict[str, set[int]], name: str) -> set[int]:
        """Return what a class has of its own, else what its nearest ancestor has."""
        while name and name not in found:
            name = self.supers.get(name, "")
        return found.get(name, set())

    def read(self, classes: Iterable[Any], wanted: tuple[str, ...]) -> None:
        """Add the classes whose names begin with one of `wanted`."""
        for found in classes:
            name = plain_class(str(found.get_name()))
            if name.startswith(wanted):
                self.supers[name] = plain_class(str(found.get_superclassname()))
                fields: dict[str, object] = {}
                # Constructors first: what other methods find in a field was put there by them.
                methods = sorted(found.get_methods(), key=lambda m: str(m.get_name()) != "<init>")
                for method in methods:
                    scan = _Method(self, name, str(method.get_name()), str(method.get_descriptor()), fields)
                    scan.read(method)


class _Method:
    def __init__(self, code: Code, owner: str, name: str, descriptor: str, fields: dict[str, object]) -> None:
        self._code, self._owner, self._name = code, owner, name
        self._home = home(owner, code.activities)
        self._known: dict[str, object] = {}
        """By register: a number, `view:N` for a view found, or a class name."""
        self._fields = fields
        self._result: object = None
        code.handlers += name == "onClick" and descriptor == "(Landroid/view/View;)V"

    def read(self, method: Any) -> None:
        body = method.get_code()
        if body is None:
            return
        for step in body.get_bc().get_instructions():
            self._step(str(step.get_name()), str(step.get_output()))

    def _step(self, name: str, words: str) -> None:
        register, _, rest = words.partition(", ")
        if name == "const-string":
            self._code.texts.setdefault(self._home, set()).add(rest.strip("'\""))
        elif name.startswith("const") and "wide" not in name:
            self._known[register] = plain_class(rest) if name == "const-class" else _number(rest)
        elif name == "new-instance":
            self._known[register] = plain_class(rest)
        elif name.startswith("move-result"):
            self._known[register] = self._result
        elif name.startswith("invoke"):
            self._call(words)
        elif name == "iput-object":
            self._fields[rest.partition(", ")[2]] = self._known.get(register)
        elif name in ("iget-object", "iget"):
            self._known[register] = self._fields.get(rest.partition(", ")[2])
        elif name.startswith("move"):
            self._known[register] = self._known.get(rest)

    def _call(self, words: str) -> None:
        registers, _, target = words.rpartition(", L")
        called = target.partition("->")[2]
        values = [self._known.get(r) for r in registers.split(", ")]
        last, owner, code = values[-1], self._owner, self._code
        self._result = None
        if called.startswith("findViewById(I)") and isinstance(last, int):
            self._result = f"view:{last}"
        elif called == "setContentView(I)V" and isinstance(last, int):
            code.layouts.setdefault(self._home, set()).add(last)
        elif called.startswith("inflate(I Landroid/view/Menu;)") and isinstance(values[-2], int):
            code.menus.setdefault(self._home, set()).add(values[-2])
        elif called in _INTENTS and isinstance(last, str):
            code.opens.add((owner, self._name, last))
        elif called == _LISTENER:
            self._listen(values)
        elif called.startswith(("startActivity(", "startActivityForResult(")):
            code.starts += 1
        elif called.startswith("queryIntentActivities("):
            code.asks.add(self._home)

    def _listen(self, values: list[object]) -> None:
        view, listener = values[0], values[-1]
        if isinstance(view, str) and view.startswith("view:"):
            # What is handed over without being made here is the activity itself.
            heard = listener if isinstance(listener, str) else self._owner
            self._code.listens.add((self._home, int(view[5:]), heard))


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None
