"""A prompt that is about nothing remembered gets nothing; one that is about a page gets that page."""

from __future__ import annotations

from typing import Any

import pytest

from memex_core.recall.options import Options
from memex_core.recall.query import Query
from memex_core.recall.recall import search
from memex_core.recall.relevance import READ_WHOLE, judge, shortened, topic_of

PAGES = (
    (
        "preference",
        "Ruff, not flake8",
        "We lint with ruff in the hook. Use it before each commit.",
        ["linter"],
    ),
    ("procedure", "Deploy the ferry", "Pull, migrate, restart the harbour server. Run the tests first.", []),
    (
        "entity",
        "Harbour server",
        "Two cores in Falkenstein. Logs are in /var/log. Restart with systemctl.",
        [],
    ),
    ("entity", "Odile", "Steers the ferry and writes the tests. Likes short messages.", []),
    ("summary", "Tide table", "High water at noon. The list is printed; look at it again before you go.", []),
    ("entity", "Prices in cents", "Fares are stored as cents in the database, never as a float.", []),
)


@pytest.fixture
def index(memex: Any) -> Any:
    for kind, title, body, aliases in PAGES:
        memex.write(type=kind, title=title, body=body, aliases=aliases)
    return memex.store.index


def topic(index: Any, prompt: str) -> Query:
    return topic_of(shortened(index.db, prompt) if len(prompt) > READ_WHOLE else prompt)


def about(index: Any, prompt: str, *, asked: bool = False) -> list[str]:
    query = topic(index, prompt)
    if not query.terms:
        return []
    options = Options(8, kinds=("pages",), count=False, explain=True, loose=True)
    found = search(index, query, options)
    names = {hit["file_path"]: [hit["title"]] for hit in found["hits"]}
    for hit in found["hits"]:
        if hit["slug"] == "ruff-not-flake8":
            names[hit["file_path"]].append("linter")
    judged = judge(found["hits"], index.total(), found["corrected"], names, asked=asked)
    assert not {hit["slug"] for hit in judged.relevant} & {hit["slug"] for hit in judged.below}
    return [hit["slug"] for hit in judged.relevant]


@pytest.mark.parametrize(
    "prompt",
    [
        "thanks",
        "ok, go on",
        "run the tests",
        "fix the failing test please",
        "make it faster",
        "commit",
        "look at the error in the log and tell me what is wrong",
        "can you add a new file with a function that parses the arguments",
        "what time is it",
        "translate this paragraph into French",
        "the build is broken again",
        "write a unit test",
        "yes, that is what I meant, print the list again",
        "???",
        "",
    ],
)
def test_nothing_is_relevant(index: Any, prompt: str) -> None:
    assert about(index, prompt) == []


@pytest.mark.parametrize(
    ("prompt", "slug"),
    [
        ("which linter do we use?", "ruff-not-flake8"),
        ("how do I deploy the ferry", "deploy-the-ferry"),
        ("ask Odile whether she steers tonight", "odile"),
        ("is the harbour server down?", "harbour-server"),
        ("store the fares in the database as a float", "prices-in-cents"),
        ("print the tide table for Sunday", "tide-table"),
        ('"harbour server" -odile tag:none', "harbour-server"),  # no operator is meant in a prompt
    ],
)
def test_the_page_is_found(index: Any, prompt: str, slug: str) -> None:
    assert about(index, prompt)[:1] == [slug]


@pytest.mark.parametrize(
    ("prompt", "slugs"),
    [
        ("部署流程是什么", ["部署流程"]),
        ("배포 절차를 알려줘", ["배포-절차"]),
        ("Was liefert Müller?", ["müller-söhne"]),
        ("运行测试", []),
        ("테스트 실행해줘", []),
        ("führe die Tests aus", []),
    ],
)
def test_other_languages(memex: Any, prompt: str, slugs: list[str]) -> None:
    memex.write(type="procedure", title="部署流程", body="先拉取代码，再重启服务器。运行测试之前先备份。")
    memex.write(type="procedure", title="배포 절차", body="서버를 다시 시작하고 테스트를 실행한다.")
    memex.write(type="entity", title="Müller & Söhne", body="Liefern Mehl. Die Tests sind gut.")
    assert about(memex.store.index, prompt) == slugs


def test_a_guessed_spelling_proves_nothing(index: Any) -> None:
    found = search(index, topic_of("falkenstien"), Options(kinds=("pages",), explain=True))
    assert found["corrected"] == {"falkenstien": "falkenstein"} and found["hits"]
    assert judge(found["hits"], index.total(), found["corrected"], {}).relevant == []


def test_one_rare_word_will_do_when_memory_is_asked_for(index: Any) -> None:
    assert about(index, "what about Falkenstein?") == []
    assert about(index, "what about Falkenstein?", asked=True) == ["harbour-server"]


def test_what_is_much_worse_than_the_best_is_left_out(index: Any) -> None:
    assert "odile" not in about(index, "how do I deploy the ferry")


def test_of_a_very_long_prompt_the_rarest_words_are_read(index: Any) -> None:
    noise = " ".join(f"zq{number}xv test file" for number in range(4_000))
    prompt = f"{noise[:60_000]} harbour server Falkenstein systemctl {noise[60_000:]}"
    assert len(prompt) > 60_000
    query = topic(index, prompt)
    assert {term.word for term in query.terms} == {"harbour", "server", "falkenstein", "systemctl"}
    assert about(index, prompt)[:1] == ["harbour-server"]


def test_a_long_run_without_spaces_is_no_trouble(index: Any) -> None:
    assert topic(index, "港" * 50_000).terms == ()


def test_what_a_whole_store_is_about_is_found_when_the_prompt_is_about_just_that(memex: Any) -> None:
    for number in range(1, 13):
        memex.write(
            type="entity", title=f"Billing note {number}", body=f"The billing service, part {number}."
        )
    memex.write(type="entity", title="Oak", body="A tree in the yard.")
    index = memex.store.index
    assert len(about(index, "what did we decide about the billing service?", asked=True)) == 8
    assert len(about(index, "billing", asked=True)) == 8
    assert len(about(index, "clean up the billing service")) == 8
    assert about(index, "billing") == []  # one word of every page is no topic where nobody asks
    assert about(index, "the billing of the harbour authority", asked=True) == []
