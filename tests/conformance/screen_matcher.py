"""What every screen matcher must do. Subclass, and provide the fixture `matcher`."""

import copy
import itertools
import math

from hypothesis import HealthCheck, given, settings

from tests.conformance.screens import screens
from tests.mapping.looks import button, dialog, empty_tree, listed, screen, tabs, toolbar
from waypost.model import Screen
from waypost.protocols import ScreenMatcher

__all__ = ["LOOKS", "ScreenMatcherSuite"]

LOOKS = (
    screen(toolbar("Inbox", button("Search", 60, 900)), listed(["Lunch on Friday", "Your invoice"])),
    screen(toolbar("Inbox", button("Search", 60, 900)), listed(["You have won", "Cheap pills", "Act now"])),
    screen(toolbar("Settings"), tabs("Mail", "Mail", "Chat"), activity=".Settings"),
    screen(toolbar("Inbox"), dialog(button("Delete"), button("Cancel"))),
    screen(button("Save"), app="org.another.app"),
    empty_tree(),
    Screen(),
)
fixtures = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


class ScreenMatcherSuite:
    def test_equal_looks_are_certainly_one_page(self, matcher: ScreenMatcher) -> None:
        for look in LOOKS:
            assert matcher.compare(look, copy.deepcopy(look)).score == 1.0

    def test_the_order_of_two_looks_does_not_matter(self, matcher: ScreenMatcher) -> None:
        for a, b in itertools.combinations(LOOKS, 2):
            assert math.isclose(matcher.compare(a, b).score, matcher.compare(b, a).score, abs_tol=1e-6)

    def test_another_app_is_another_page(self, matcher: ScreenMatcher) -> None:
        assert not any(matcher.compare(LOOKS[4], b).same for b in LOOKS if b is not LOOKS[4])

    def test_the_same_question_gets_the_same_answer(self, matcher: ScreenMatcher) -> None:
        pairs = list(itertools.combinations(LOOKS, 2))
        first = [matcher.compare(a, b) for a, b in pairs]
        assert [matcher.compare(a, b) for a, b in reversed(pairs)] == first[::-1]

    def test_a_judgement_has_its_reasons(self, matcher: ScreenMatcher) -> None:
        for a, b in itertools.combinations(LOOKS, 2):
            reasons = matcher.compare(a, b).reasons
            assert reasons
            assert all(r.name and math.isfinite(r.weight) for r in reasons)

    @fixtures
    @given(screens, screens)
    def test_any_two_looks_are_judged(self, matcher: ScreenMatcher, a: Screen, b: Screen) -> None:
        found, other = matcher.compare(a, b), matcher.compare(b, a)
        assert 0.0 <= found.score <= 1.0
        assert math.isclose(found.score, other.score, abs_tol=1e-6)
        assert matcher.compare(a, a).score == 1.0
