from memex_tui.render.hints import Hints, labels


def test_labels_are_unique_and_of_one_length() -> None:
    assert labels(3) == ["a", "s", "d"]
    for count in (0, 26, 27, 700):
        found = labels(count)
        assert len(set(found)) == count
        assert len({len(label) for label in found}) <= 1
    assert len(labels(27)[0]) == 2


def test_typing_chooses() -> None:
    hints = Hints(list(range(30)))
    assert hints.type("a") is None
    assert [label for label, _ in hints.shown()] == list("asdfghjklqwertyuiopzxcvbnm")
    assert hints.type("?") is None
    assert hints.type("S") == 1
    assert Hints(["only"]).type("a") == "only"
