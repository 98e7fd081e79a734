"""What was true at each look at the phone: the same as a dictionary would say, in ten bytes a look."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waypost.adapters.pocket.sights import Sights

TIMES = st.lists(st.floats(0, 1e9), unique=True, max_size=60).map(sorted)
PAGES = st.sampled_from(["mail/inbox", "mail/letter", "side:ad", "launcher/home"])


@given(TIMES, st.data())
def test_the_page_of_every_look_is_remembered_and_of_no_other_time(
    times: list[float], data: st.DataObject
) -> None:
    told = {time: data.draw(PAGES) for time in times}
    sights = Sights()
    for time, page in told.items():
        sights.note(time, page)
    assert {time: sights.at(time) for time in told} == told
    other = data.draw(st.floats(-1, 2e9).filter(lambda t: t not in told))
    with pytest.raises(KeyError):
        sights.at(other)
