"""The pocket phone does what a phone does."""

import pytest

from tests.adapters.pocket.driving import find, phone, settle, small, tap
from waypost.adapters.pocket import PocketDevice
from waypost.errors import DeviceError, UsageError
from waypost.model import (
    Capture,
    Direction,
    Finish,
    Launch,
    LongPress,
    Press,
    Role,
    Swipe,
    Tap,
    TypeText,
    Wait,
)


def test_it_boots_to_the_launcher_and_launches_by_icon() -> None:
    device = PocketDevice(specs=[small()])
    assert device.where() == "launcher/home"
    assert device.observe().screen.app == "com.pocket.launcher"
    assert tap(device, "Small") == "side:splash"
    settle(device)
    assert device.where() == "small/home"


def test_an_unknown_app_is_refused_with_what_there_is() -> None:
    with pytest.raises(UsageError, match="it has small"):
        PocketDevice("nothing", specs=[small()])
    with pytest.raises(DeviceError, match="No app 'nothing'"):
        phone().perform(Launch("nothing"))


def test_the_splash_passes_with_looks() -> None:
    device = PocketDevice("small", specs=[small()])
    seen = [device.label(device.observe().seen_at) for _ in range(3)]
    assert seen == ["side:splash", "side:splash", "small/home"]


def test_time_moves_forward_with_every_look() -> None:
    device = phone()
    times = [device.observe().seen_at for _ in range(5)]
    assert times == sorted(set(times))
    device.perform(Wait(60))
    assert device.observe().seen_at > times[-1] + 60


def test_the_tree_is_nested_and_named_as_uiautomator_shows_it() -> None:
    screen = phone().observe().screen
    classes = {e.class_name for e in screen.walk()}
    assert {"android.widget.FrameLayout", "android.widget.LinearLayout", "android.widget.Switch"} <= classes
    assert screen.activity == "org.example.small.Main"
    ids = {e.resource_id for e in screen.walk()}
    assert "org.example.small:id/toolbar" in ids
    assert "android:id/content" in ids


def test_no_page_id_leaks_into_the_tree() -> None:
    device = phone()
    tap(device, "Form")
    text = repr(device.observe().screen)
    assert "small/form" not in text
    assert "pages.form" not in text


def test_a_recycler_holds_only_what_is_near_the_window() -> None:
    device = phone()
    tap(device, "People")
    names = [e.text for e in device.observe().screen.walk() if e.resource_id.endswith(":id/summary")]
    assert 5 < len(names) < 15
    for _ in range(3):
        device.perform(Swipe(Direction.UP))
    assert find(device, "Guide 21").visible
    assert device.where() == "small/people"
    for _ in range(30):
        device.perform(Swipe(Direction.UP))
    assert find(device, "Cook 60")
    for _ in range(40):
        device.perform(Swipe(Direction.DOWN))
    assert find(device, "Guide 1")


def test_a_drag_between_two_points_scrolls_by_their_distance() -> None:
    device = phone()
    tap(device, "People")
    before = find(device, "Guide 5").bounds.top
    device.perform(Swipe(start=(500, 1500), end=(500, 1200)))
    assert find(device, "Guide 5").bounds.top == before - 300


def test_scroll_positions_are_kept_on_the_way_back() -> None:
    device = phone()
    tap(device, "People")
    device.perform(Swipe(Direction.UP))
    top = find(device, "Cook 8").bounds.top
    tap(device, "Cook 8", "<")
    assert find(device, "Cook 8").bounds.top == top


def test_bounds_are_clipped_to_the_list() -> None:
    device = phone()
    tap(device, "People")
    screen = device.observe().screen
    (listed,) = [e for e in screen.walk() if e.role is Role.LIST]
    for element in listed.walk():
        if element.visible:
            assert element.bounds == element.bounds.clip(listed.bounds)


def test_items_of_one_template_are_one_page() -> None:
    device = phone()
    assert tap(device, "People", "Guide 1") == "small/person"
    assert tap(device, "<", "Cook 2") == "small/person"
    assert find(device, "Bob")


def test_a_drawer_covers_the_page_below() -> None:
    device = phone()
    assert tap(device, "Open navigation drawer") == "small/+drawer".replace("drawer", "side")
    screen = device.observe().screen
    forms = [e for e in screen.walk() if e.text == "Form"]
    assert [e.visible for e in forms] == [False]
    device.perform(Tap((1000, 1500)))
    assert device.where() == "small/home"


def test_a_dialog_is_a_window_of_its_own() -> None:
    device = phone()
    overflow = next(e for e in device.observe().screen.visible() if e.resource_id.endswith("overflow"))
    device.perform(Tap(overflow.bounds.center))
    assert device.where() == "small/home+menu"
    assert tap(device, "Ask") == "small/home+ask"
    root = device.observe().screen.root
    assert root.role is Role.DIALOG
    assert root.bounds.width < 1080
    assert tap(device, "Cancel") == "small/home"


def test_going_from_a_dialog_closes_it() -> None:
    device = phone()
    device.perform(Tap((1000, 160)))
    assert tap(device, "Ask", "Go on", "<") == "small/home"


def test_tabs_are_pages_and_swipes_turn_them() -> None:
    device = phone()
    assert tap(device, "Sort") == "small/old"
    device.perform(Swipe(Direction.LEFT))
    assert device.where() == "small/new"
    chosen = [e for e in device.observe().screen.walk() if e.role is Role.TAB and e.selected]
    assert [c.children[0].text for c in chosen] == ["New"]
    assert tap(device, "Old", "<") == "small/home"


def test_the_keyboard_covers_the_lower_half_and_the_first_back_only_closes_it() -> None:
    device = phone()
    tap(device, "Form")
    save = find(device, "Save")
    assert save.bounds.top > 1560
    device.perform(Tap(find(device, "Your name").bounds.center))
    screen = device.observe().screen
    assert screen.keyboard
    assert not any(e.visible for e in screen.walk() if e.text == "Save")
    device.perform(Press("back"))
    assert device.where() == "small/form"
    assert not device.observe().screen.keyboard


def test_keys_type_and_any_text_can_be_put_in() -> None:
    device = phone()
    tap(device, "Form")
    device.perform(Tap(find(device, "Your name").bounds.center))
    device.perform(Tap((160, 1850)))
    assert device.session().vars["name"] == "w"
    device.perform(TypeText("小明 né 🙂"))
    assert find(device, "小明 né 🙂").role is Role.FIELD


def test_text_without_a_field_goes_nowhere() -> None:
    device = phone()
    device.perform(TypeText("lost"))
    device.perform(TypeText("lost", (500, 500)))
    assert "lost" not in str(device.session().vars)


def test_back_may_ask_first() -> None:
    device = phone()
    tap(device, "Form")
    device.perform(TypeText("Ann", find(device, "Your name").bounds.center))
    assert tap(device, "<", "<") == "small/form+discard"
    assert tap(device, "<") == "small/form+discard"
    assert tap(device, "Keep", "Close", "Discard") == "small/home"


def test_a_permission_is_asked_once() -> None:
    device = phone()
    assert tap(device, "Map") == "side:permission"
    screen = device.observe().screen
    assert screen.overlay == "com.android.permissioncontroller"
    assert tap(device, "Don't allow") == "small/map"
    assert tap(device, "<", "Map") == "small/map"
    device.restart()
    settle(device)
    assert tap(device, "Map") == "small/map"


def test_a_clock_changes_with_every_look() -> None:
    device = phone()
    tap(device, "Map", "Only this time")
    assert device.observe().screen != device.observe().screen


def test_equal_looks_are_equal_screens() -> None:
    device = phone()
    assert device.observe().screen == device.observe().screen


def test_a_page_may_load_first() -> None:
    device = phone()
    tap(device, "Slow")
    assert any(e.role is Role.PROGRESS for e in device.observe().screen.visible())
    assert device.where() == "small/slow"
    device.perform(Wait(2))
    assert find(device, "Here")


def test_a_login_gate_leads_on_once_it_is_passed() -> None:
    device = phone()
    assert tap(device, "Vault") == "small/login"
    assert tap(device, "Enter") == "small/login"
    assert find(device, "Wrong")
    device.perform(TypeText("ann", find(device, "User").bounds.center))
    assert tap(device, "<", "Enter") == "small/vault"
    assert tap(device, "<", "Vault") == "small/vault"
    device.restart()
    settle(device)
    assert tap(device, "Vault") == "small/vault"


def test_another_app_in_front_is_left_by_back() -> None:
    device = phone()
    assert tap(device, "Browser") == "side:external"
    assert device.observe().screen.app == "com.android.browser"
    assert tap(device, "<") == "small/home"


def test_a_crash_can_be_answered_with_a_fresh_start() -> None:
    device = phone()
    assert tap(device, "Break") == "side:crash"
    assert find(device, "Small keeps stopping")
    assert device.observe().screen.overlay == "android"
    assert tap(device, "Open app again") == "side:splash"
    settle(device)
    assert tap(device, "Break", "Close app") == "launcher/home"


def test_what_may_not_be_undone_is_recorded() -> None:
    device = phone()
    tap(device, "People")
    device.perform(LongPress(find(device, "Cook 2").bounds.center))
    assert device.where() == "small/people+held"
    tap(device, "Delete")
    tap(device, "Guide 1", "Call")
    assert [(h.kind, h.page, h.label) for h in device.hazards_done] == [
        ("delete", "small/people+held", "Delete"),
        ("call", "small/person", "Call"),
    ]
    assert len(device.session().tables["people"]) == 59


def test_a_snackbar_is_gone_after_two_looks() -> None:
    device = phone()
    device.perform(Tap((1000, 160)))
    tap(device, "Send all")
    shown = [any(e.text == "Sent" for e in device.observe().screen.visible()) for _ in range(3)]
    assert shown == [True, True, False]


def test_search_filters_and_may_find_nobody() -> None:
    device = phone()
    tap(device, "People")
    device.perform(TypeText("李雷", find(device, "Find").bounds.center, submit=True))
    assert not device.observe().screen.keyboard
    names = {e.text for e in device.observe().screen.visible() if e.resource_id.endswith(":id/title")}
    assert names == {"李雷"}
    device.perform(TypeText("zzz", find(device, "李雷").bounds.center))
    assert find(device, "Nobody")


def test_labels_follow_the_language() -> None:
    device = phone()
    device.perform(Tap((1000, 160)))
    tap(device, "Chinese")
    assert find(device, "首页")


def test_toggles_survive_a_restart_and_volatile_text_does_not() -> None:
    device = phone()
    tap(device, "Power")
    assert device.session().vars["power"]
    tap(device, "People")
    device.perform(TypeText("Ann", find(device, "Find").bounds.center))
    device.restart()
    assert device.session().vars["power"]
    assert device.session().vars["query"] == ""


def test_a_slider_goes_where_it_is_touched() -> None:
    device = phone()
    bar = next(e for e in device.observe().screen.visible() if e.role is Role.SLIDER)
    device.perform(Tap((bar.bounds.right - 3, bar.bounds.center[1])))
    assert device.session().vars["level"] >= 99


def test_home_leaves_and_launching_comes_back_to_the_same_page() -> None:
    device = phone()
    tap(device, "Form")
    device.perform(Press("home"))
    assert device.where() == "launcher/home"
    device.perform(Launch("org.example.small"))
    assert device.where() == "small/form"


def test_back_on_the_first_page_leaves_the_app() -> None:
    device = phone()
    assert tap(device, "<") == "launcher/home"


def test_finish_is_no_action_of_a_device() -> None:
    with pytest.raises(ValueError, match="Finish"):
        phone().perform(Finish())


def test_capturing_changes_nothing() -> None:
    device = phone()
    before = device.observe().screen
    device.perform(Capture())
    assert device.observe().screen == before


def test_one_seed_gives_one_history() -> None:
    def history() -> list[str]:
        device = PocketDevice(seed=4)
        seen = []
        for app in ("shop", "mail", "chat"):
            device.restart(app)
            for x in range(60):
                screen = device.observe().screen
                spots = [e.bounds.center for e in screen.visible() if e.clickable] or [(5, 5)]
                device.perform(Tap(spots[x * 7 % len(spots)]))
                seen.append(f"{device.where()} {hash(screen)}")
        return seen

    assert history() == history()
