"""Small expressions and text templates of the app language: a string in, a function of an environment out."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

__all__ = ["Env", "Expr", "Row", "Text", "compile_expr", "compile_text"]


class Row:
    """One row of a table: values by name, compared by identity."""

    __slots__ = ("table", "values")

    def __init__(self, values: Mapping[str, Any], table: str) -> None:
        self.values = dict(values)
        self.table = table

    def __repr__(self) -> str:
        return f"Row({self.values!r})"


class Env(Protocol):
    """Where names get their values from."""

    def value(self, name: str) -> Any: ...


Run: TypeAlias = Callable[[Env], Any]


@dataclass(frozen=True, slots=True)
class Expr:
    source: str
    names: frozenset[str]
    run: Run


@dataclass(frozen=True, slots=True)
class Text:
    """A label that may depend on the state; `run` is None where it does not."""

    source: str
    names: frozenset[str] = frozenset()
    run: Run | None = None

    def show(self, env: Env) -> str:
        return self.source if self.run is None else str(self.run(env))


_BINARY: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARE: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_CALLS: dict[str, Callable[[Any], Any]] = {"len": len, "lower": lambda v: str(v).lower(), "str": str}


def compile_expr(source: str) -> Expr:
    """Compile an expression; ValueError says what it may not hold.

    >>> class Vars(dict):
    ...     def value(self, name): return self[name]
    >>> compile_expr("not done and len(mails) > 1").run(Vars(done=False, mails=[1, 2]))
    True
    >>> compile_expr("__import__('os')")
    Traceback (most recent call last):
    ValueError: Only len(x), lower(x) and str(x) can be called, not "__import__('os')"
    """
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except SyntaxError as e:
        raise ValueError(f"Not an expression: {source!r}") from e
    names: set[str] = set()
    run = _compile(tree, names)
    return Expr(source, frozenset(names), run)


def compile_text(source: str) -> Text:
    """Compile a label with `{expression}` parts.

    >>> compile_text("plain").names, compile_text("{a} of {b}").names == {"a", "b"}
    (frozenset(), True)
    """
    parts = re.split(r"\{([^{}]+)\}", source)
    if len(parts) == 1:
        return Text(source)
    made: list[str | Run] = []
    names: set[str] = set()
    for i, part in enumerate(parts):
        if i % 2:
            expr = compile_expr(part)
            names |= expr.names
            made.append(expr.run)
        elif part:
            made.append(part)

    def run(env: Env) -> str:
        return "".join(p if isinstance(p, str) else str(p(env)) for p in made)

    return Text(source, frozenset(names), run)


def _compile(node: ast.expr, names: set[str]) -> Run:
    match node:
        case ast.Constant(value=value):
            return lambda env: value
        case ast.Name(id=name):
            names.add(name)
            return lambda env: env.value(name)
        case ast.Attribute(value=inner, attr=attr):
            return _attribute(_compile(inner, names), attr)
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp() | ast.BinOp() | ast.IfExp():
            return _operation(node, names)
        case ast.Call(func=ast.Name(id=called), args=[one], keywords=[]) if called in _CALLS:
            call, argument = _CALLS[called], _compile(one, names)
            return lambda env: call(argument(env))
        case ast.Call():
            raise ValueError(f"Only len(x), lower(x) and str(x) can be called, not {ast.unparse(node)!r}")
        case _:
            raise ValueError(f"Not allowed in an expression: {ast.unparse(node)!r}")


def _attribute(inner: Run, attr: str) -> Run:
    def run(env: Env) -> Any:
        row = inner(env)
        return row.values.get(attr, "") if isinstance(row, Row) else ""

    return run


def _operation(node: ast.expr, names: set[str]) -> Run:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _COMPARE:
            compare, a, b = _COMPARE[type(op)], _compile(left, names), _compile(right, names)
            return lambda env: compare(a(env), b(env))
        case ast.BoolOp(op=ast.And(), values=values):
            terms = [_compile(v, names) for v in values]
            return lambda env: all(t(env) for t in terms)
        case ast.BoolOp(values=values):
            terms = [_compile(v, names) for v in values]
            return lambda env: any(t(env) for t in terms)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _compile(operand, names)
            return lambda env: not inner(env)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _compile(operand, names)
            return lambda env: -inner(env)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            apply, a, b = _BINARY[type(op)], _compile(left, names), _compile(right, names)
            return lambda env: apply(a(env), b(env))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            t, a, b = (_compile(n, names) for n in (test, body, orelse))
            return lambda env: a(env) if t(env) else b(env)
        case _:
            raise ValueError(f"Not allowed in an expression: {ast.unparse(node)!r}")
