"""Consolidation with a model that answers well, badly, slowly and not at all: what the store holds then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memex_core import Memex
from memex_core.model.errors import BadInput, Locked, NotFound, Refused
from tests.chat_server import ChatServer
from tests.learn.conftest import Talk, choose, note, said
from tests.loopback import dead_base

RUFF = "For this project I prefer ruff over flake8 and always will."


def drafts(memex: Memex) -> list[str]:
    return sorted(row["slug"] for row in memex.list(status="draft")["pages"])


def settled(memex: Memex) -> list[dict[str, Any]]:
    return [
        event["detail"]["learned"]
        for event in memex.store.journal.read()
        if event["action"] == "ingest" and event["detail"].get("learned", {}).get("by") == "model"
    ]


# -- a good answer -----------------------------------------------------------------------------


def test_a_proved_page_lands_as_a_draft_with_its_turn(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF, ("agent", "Understood."))
    choose(memex, server)
    server.says = [said(note())]
    report = memex.consolidate()
    assert (report["mode"], report["dry_run"], report["episodes_processed"]) == ("full", False, 1)
    assert [row["slug"] for row in report["nodes_created"]] == ["ruff-for-linting"]
    assert (report["nodes_updated"], report["rejected"], report["failed"], report["held"]) == (
        [],
        [],
        [],
        None,
    )
    assert (report["llm_calls"], report["llm_prompt_tokens"], report["llm_completion_tokens"]) == (1, 100, 10)
    page = memex.show("ruff-for-linting")
    assert (page["status"], page["node_type"], page["importance"]) == ("draft", "preference", 0.8)
    assert page["front_matter"]["generated"]["by"].startswith("memex-consolidate/")
    trace = memex.trace("ruff-for-linting")
    assert [(row["session"], row["turn"], row["found"]) for row in trace["evidence"]] == [("sess-1", 1, True)]
    assert trace["evidence"][0]["quote"] == "I prefer ruff over flake8"
    assert trace["confidence"] == "direct"


def test_the_journal_says_who_learnt_it_of_what(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = [said(note())]
    memex.consolidate()
    event = memex.history("ruff-for-linting")["events"][0]
    learned = event["detail"]["learned"]
    assert (learned["by"], learned["model"], learned["session"]) == ("model", "custom/toy", "sess-1")
    assert (learned["verdict"], learned["grounding"], learned["turns"]) == ("independent", "explicit", [1])
    xid = memex.session("sess-1")["turns"][0]["xid"]
    assert learned["xids"] == [xid]
    (mark,) = settled(memex)
    assert (mark["first"], mark["last"], mark["xid"], mark["created"]) == (1, 1, xid, ["ruff-for-linting"])


def test_what_was_read_is_not_sent_again(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    memex.consolidate()
    assert memex.consolidate()["llm_calls"] == 0
    talk("sess-1", RUFF, "Deploy on Fridays is forbidden.")
    assert memex.consolidate()["llm_calls"] == 1
    assert len(server.prompts) == 2
    assert "Deploy on Fridays" in server.prompts[1] and "flake8 and always" not in server.prompts[1]


def test_only_what_is_settled_is_read(
    memex: Memex, talk: Talk, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk("sess-1", RUFF, ("agent", "Yes."), "And what about mypy?", day="2026-11-30")
    choose(memex, server)
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T10:05:00Z")
    memex.consolidate()
    assert "ruff" in server.prompts[0] and "mypy" not in server.prompts[0]
    assert memex.consolidate()["llm_calls"] == 0
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T10:30:00Z")  # silent for longer than settle_minutes
    memex.consolidate()
    assert len(server.prompts) == 2 and "mypy" in server.prompts[1]


def test_a_named_session_is_taken_as_ended(
    memex: Memex, talk: Talk, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk("sess-1", RUFF, day="2026-11-30")
    talk("sess-2", "I prefer tea over coffee.", day="2026-11-30")
    choose(memex, server)
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T10:01:00Z")
    assert memex.consolidate()["llm_calls"] == 0
    assert memex.consolidate(session="sess-1")["llm_calls"] == 1
    assert "ruff" in server.prompts[0] and "coffee" not in server.prompts[0]


def test_nothing_to_keep_is_settled_too(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", "what does this do?")
    choose(memex, server)
    server.says = ["[]"]
    report = memex.consolidate()
    assert (report["nodes_created"], report["failed"], report["episodes_processed"]) == ([], [], 1)
    assert memex.jobs_list()["counts"]["done"] == 1
    assert memex.consolidate()["llm_calls"] == 0


def test_a_session_that_could_prove_nothing_costs_no_call(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", ("agent", "I prefer ruff over flake8."))
    choose(memex, server)
    report = memex.consolidate()
    assert (report["llm_calls"], report["episodes_processed"], server.requests) == (0, 1, [])
    assert memex.jobs_list()["counts"] == {
        "pending": 0,
        "held": 0,
        "running": 0,
        "retrying": 0,
        "failed": 0,
        "done": 1,
    }


def test_secrets_are_not_sent_even_where_they_are_stored(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    choose(memex, server)
    config = Path(memex.root, "memex.toml")
    config.write_text(config.read_text() + '[capture]\nscrub = "off"\n')
    memex.store.forget_config()
    secret = "AKIA" + "IOSFODNN7EXAMPLX"
    talk("sess-1", f"Remember that the key is {secret}.", project=f"work-{secret}")
    assert secret in memex.session("sess-1")["turns"][0]["content"]
    memex.consolidate()
    assert "Remember that the key is" in server.prompts[0]
    assert secret not in json.dumps(server.requests)


def test_tools_of_this_machine_are_shown_and_prove_others_are_not(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk(
        "sess-1",
        "run the tests",
        {
            "role": "tool",
            "content": "",
            "tool_name": "Bash",
            "query": "pytest",
            "result": "python 3.11.9, 7150 passed",
        },
        {
            "role": "tool",
            "content": "",
            "tool_name": "WebFetch",
            "query": "https://x",
            "result": "from elsewhere",
        },
    )
    choose(memex, server)
    verified = note(
        title="Python 3.11 here",
        type="entity",
        quotes=[{"turn": 2, "quote": "python 3.11.9"}],
        grounding="verified",
    )
    web = note(title="From the web", quotes=[{"turn": 3, "quote": "from elsewhere"}], grounding="verified")
    server.says = [said(verified, web)]
    report = memex.consolidate()
    assert "7150 passed" in server.prompts[0] and "from elsewhere" not in server.prompts[0]
    assert drafts(memex) == ["python-3-11-here"]
    assert report["rejected"] == [
        {"title": "From the web", "reason": "it quotes turn 3, which was not shown"}
    ]


def test_the_prompt_is_known_as_one_of_ours_and_offers_what_is_near(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    memex.write(type="preference", title="Linter", body="We lint with flake8 in every project.")
    memex.write(type="entity", title="Rye loaf", body="Bread made of rye.")
    talk("sess-1", RUFF)
    choose(memex, server)
    memex.consolidate()
    system, question = (one["content"] for one in server.requests[0]["messages"])
    assert system.startswith("<memex-task")
    assert '"slug": "linter"' in question and "rye-loaf" not in question


@pytest.mark.parametrize(
    ("words", "language"),
    [
        ("저는 탭보다 스페이스를 선호합니다", "Korean"),
        ("我更喜欢用空格缩进", "Chinese"),
        ("タブは使わないでください", "Japanese"),
    ],
)
def test_the_person_s_language_is_asked_for(
    memex: Memex, talk: Talk, server: ChatServer, words: str, language: str
) -> None:
    talk("sess-1", words)
    choose(memex, server)
    memex.consolidate()
    assert f"write titles and bodies in {language}" in server.prompts[0]


# -- invented, unproved, not durable -----------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (
            {"quotes": [{"turn": 1, "quote": "I prefer black over ruff"}]},
            "turn 1 does not say what it quotes",
        ),
        ({"quotes": [{"turn": 7, "quote": "I prefer ruff"}]}, "it quotes turn 7, which was not shown"),
        ({"quotes": []}, "it quotes no turn"),
        ({"durable": False}, "it is not said to be durable"),
        (
            {"quotes": [{"turn": 2, "quote": "You like ruff"}]},
            "it quotes only what the assistant said, which proves nothing",
        ),
        ({"grounding": "verified"}, "it claims that a tool shows it, and quotes no output of a local tool"),
        ({"grounding": "inferred"}, "it is inferred, which takes two turns that prove"),
    ],
)
def test_what_is_not_proved_is_rejected_and_reported(
    memex: Memex, talk: Talk, server: ChatServer, values: dict[str, Any], reason: str
) -> None:
    talk("sess-1", RUFF, ("agent", "You like ruff, I see."))
    choose(memex, server)
    server.says = [said(note(**values))]
    report = memex.consolidate()
    assert report["rejected"] == [{"title": "Ruff for linting", "reason": reason}]
    assert (drafts(memex), report["nodes_created"], report["failed"]) == ([], [], [])
    assert settled(memex)[0]["rejected"] == 1


def test_what_a_person_rejected_before_does_not_come_back(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    talk("sess-2", RUFF, day="2026-11-21")
    choose(memex, server, max_episodes=1)
    server.says = [said(note())]
    memex.consolidate()
    memex.reject(["ruff-for-linting"], why="only in this project")
    report = memex.consolidate()
    assert report["nodes_created"] == []
    assert "only in this project" in report["rejected"][0]["reason"]


def test_the_user_s_rules_keep_a_page_out(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    memex.rules_add("never", r"flake8")
    server.says = [said(note())]
    report = memex.consolidate()
    assert (drafts(memex), len(report["rejected"])) == ([], 1)


def test_rules_that_do_not_load_hold_everything_and_cost_nothing(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    rules = Path(memex.root, "rules")
    rules.mkdir(exist_ok=True)
    (rules / "extract.toml").write_text("never = [broken")
    report = memex.consolidate()
    assert (report["held"]["code"], report["llm_calls"], server.requests) == ("rules-invalid", 0, [])
    assert memex.jobs_list()["jobs"][0]["state"] == "held"
    (rules / "extract.toml").unlink()
    assert memex.consolidate()["llm_calls"] == 1


# -- bad answers -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("I found nothing that I would like to keep.", "unreadable-answer"),
        ("Here it is [see above] and nothing else", "unreadable-answer"),
        ('{"error": "context too long"}', "unreadable-answer"),
        ('["just", "words"]', "unreadable-answer"),
        ("   ", "empty-answer"),
        ('[{"title": "Ruff for lin', "cut-answer"),
    ],
)
def test_what_cannot_be_read_is_a_failed_job_and_never_nothing_to_remember(
    memex: Memex, talk: Talk, server: ChatServer, answer: str, code: str
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = [answer, said(note())]
    report = memex.consolidate()
    assert [(row["job"], row["code"]) for row in report["failed"]] == [("sess-1#1", code)]
    assert (settled(memex), report["episodes_processed"]) == ([], 0)
    (job,) = memex.jobs_list(state="retrying")["jobs"]
    assert (job["id"], job["code"], job["attempts"]) == ("sess-1#1", code, 1)
    assert job["cause"] and job["impact"] and job["next"].startswith("memex ")
    assert memex.jobs_show("sess-1#1")["raw"] == answer
    assert len(memex.consolidate()["nodes_created"]) == 1  # a later good answer clears it
    counts = memex.jobs_list()["counts"]
    assert (counts["retrying"], counts["done"]) == (0, 1)


def test_nine_good_and_one_bad(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    notes = [note(title=f"Fact {number}", body=f"Body number {number} says this.") for number in range(10)]
    notes[4]["body"] = 7
    server.says = ["Sure!\n```json\n" + json.dumps(notes) + "\n```\nAnything else?"]
    report = memex.consolidate()
    assert len(report["nodes_created"]) == 9 and len(drafts(memex)) == 9
    assert report["rejected"] == [{"title": "Fact 4", "reason": "its body is no text"}]
    assert report["failed"] == []


def test_a_list_that_breaks_off_keeps_its_whole_pages_and_comes_again_in_smaller_parts(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    long = "We talked about many things that day, none of which will matter. " * 40
    talk("sess-1", RUFF, ("agent", long), long, ("agent", long), "Never deploy on Fridays, please.")
    choose(memex, server, max_input_tokens=2000)
    whole = said(note(), note(title="Second"))
    server.says = [whole[:-40], "[]"]
    report = memex.consolidate()
    assert [row["slug"] for row in report["nodes_created"]] == ["ruff-for-linting"]
    assert report["failed"][0]["code"] == "cut-answer"
    before = len(server.prompts[0])
    assert memex.consolidate()["failed"] == []
    assert len(server.prompts) > 2 and all(len(prompt) < before for prompt in server.prompts[1:])
    assert memex.jobs_list()["counts"]["retrying"] == 0


def test_an_answer_cut_at_every_byte(memex: Memex, talk: Talk, server: ChatServer) -> None:
    """Sampled here; :mod:`tests.learn.test_answer` cuts at every byte of the parser's text."""
    talk("sess-1", RUFF)
    choose(memex, server, max_attempts=100, max_calls_per_day=1000)
    whole = said(*(note(title=f"Fact {n}", body=f"Body number {n}.") for n in range(3)))
    cuts = range(1, len(whole), 61)
    server.says = [whole[:cut] for cut in cuts]
    kept: list[int] = []
    for _ in cuts:
        report = memex.consolidate()
        assert report["failed"][0]["code"] in ("cut-answer", "unreadable-answer")
        kept.append(len(drafts(memex)))
    assert kept == sorted(kept) and kept[0] == 0 and kept[-1] == 2
    assert settled(memex) == []


# -- no answer ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        ("error", "endpoint-failed"),
        ("busy", "endpoint-busy"),
        ("torn", "endpoint-failed"),
        ("bare", "endpoint-failed"),
    ],
)
def test_an_endpoint_that_fails_ends_the_run_and_fails_one_job(
    memex: Memex, talk: Talk, server: ChatServer, behaviour: str, code: str
) -> None:
    talk("sess-1", RUFF)
    talk("sess-2", RUFF, day="2026-11-21")
    choose(memex, server)
    server.behave(behaviour)
    report = memex.consolidate()
    assert [row["code"] for row in report["failed"]] == [code]
    assert len(server.requests) == 1
    assert (report["llm_calls"], report["llm_prompt_tokens"]) == (1, None)  # asked, and counted as asked
    counts = memex.jobs_list()["counts"]
    assert (counts["retrying"], counts["pending"]) == (1, 1)
    assert "PROVIDER" not in json.dumps(memex.jobs_show("sess-1#1"))


def test_nobody_there(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server, api_base=dead_base())
    assert memex.consolidate()["failed"][0]["code"] == "endpoint-down"


def test_an_answer_that_never_comes(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server, timeout=1)
    server.behave("slow")
    assert memex.consolidate()["failed"][0]["code"] == "endpoint-slow"


@pytest.mark.parametrize(("behaviour", "code"), [("refused", "key-refused"), ("unknown", "model-unknown")])
def test_a_setting_that_is_refused_holds_all_jobs_and_costs_no_attempt(
    memex: Memex, talk: Talk, server: ChatServer, behaviour: str, code: str
) -> None:
    talk("sess-1", RUFF)
    talk("sess-2", RUFF, day="2026-11-21")
    choose(memex, server)
    server.behave(behaviour)
    report = memex.consolidate()
    assert (report["held"]["code"], report["failed"]) == (code, [])
    listed = memex.jobs_list()
    assert (listed["counts"]["held"], listed["counts"]["failed"], listed["calls"]["day"]) == (2, 0, 0)
    assert [(job["code"], job["attempts"]) for job in listed["jobs"]] == [(code, 0)] * 2
    assert memex.consolidate(background=True)["held"]["code"] == code
    assert len(server.requests) == 1  # nobody waits for it: not tried again
    server.behave("well")
    choose(memex, server, api_key="another")
    assert memex.jobs_list()["counts"]["pending"] == 2  # another key has not been refused
    assert memex.consolidate(background=True)["episodes_processed"] == 2


def test_what_was_mended_elsewhere_is_tried_when_a_person_asks(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.behave("unknown")
    memex.consolidate()
    server.behave("well")
    assert memex.consolidate()["episodes_processed"] == 1
    assert memex.jobs_list()["held"] is None


def test_without_a_model_all_waits(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF)
    report = memex.consolidate()
    assert (report["held"]["code"], report["model"], report["llm_calls"]) == ("no-model", "", 0)
    assert memex.jobs_list()["jobs"][0]["next"] == "memex models set PROVIDER --model NAME"


def test_a_job_that_failed_too_often_waits_for_a_person(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server, max_attempts=2)
    server.says = ["no"]
    memex.consolidate()
    memex.consolidate()
    report = memex.consolidate()
    assert (report["llm_calls"], len(server.requests)) == (0, 2)
    assert "sess-1#1 has failed 2 times" in report["warnings"][0]
    memex.jobs_retry("sess-1#1")
    server.says = ["[]"]
    assert memex.consolidate()["episodes_processed"] == 1


# -- limits ------------------------------------------------------------------------------------


def test_a_run_makes_no_more_calls_than_it_may(memex: Memex, talk: Talk, server: ChatServer) -> None:
    for number in range(3):
        talk(f"sess-{number}", RUFF, day=f"2026-11-2{number}")
    choose(memex, server, max_calls=2)
    report = memex.consolidate()
    assert (report["llm_calls"], report["waiting"]["code"], report["failed"]) == (2, "run-cap", [])
    assert memex.jobs_list()["counts"]["pending"] == 1


def test_nor_do_all_runs_of_a_day(
    memex: Memex, talk: Talk, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(2):
        talk(f"sess-{number}", RUFF, day=f"2026-11-2{number}")
    choose(memex, server, max_calls_per_day=1)
    assert memex.consolidate()["waiting"]["code"] == "day-cap"
    assert memex.consolidate()["llm_calls"] == 0
    monkeypatch.setenv("MEMEX_NOW", "2026-12-01T12:00:01Z")
    assert memex.consolidate()["llm_calls"] == 1
    choose(memex, server, max_calls_per_day=0)
    talk("sess-9", RUFF)
    assert memex.consolidate()["waiting"]["code"] == "day-cap"


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"max_calls": -3}, "max_calls must lie between 0 and 10000"),
        ({"max_calls_per_day": "few"}, "max_calls_per_day must be a whole number"),
    ],
)
def test_a_limit_that_cannot_be_read_is_not_taken_for_the_usual_one(
    memex: Memex, talk: Talk, server: ChatServer, values: dict[str, Any], says: str
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server, **values)
    report = memex.consolidate()
    assert (report["held"]["code"], report["llm_calls"], server.requests) == ("bad-settings", 0, [])
    assert says in report["held"]["message"] and report["held"]["next"] == "memex models show"
    assert memex.jobs_list()["counts"]["held"] == 1


def test_a_run_of_no_calls_makes_none(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server, max_calls=0)
    assert (memex.consolidate()["waiting"]["code"], server.requests) == ("run-cap", [])


def test_the_newest_conversations_are_read_in_their_order(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    for number in range(4):
        talk(f"sess-{number}", f"I prefer number {number} of them.", day=f"2026-11-2{number}")
    choose(memex, server)
    memex.consolidate(max_episodes=2)
    assert ["number 2" in server.prompts[0], "number 3" in server.prompts[1], len(server.prompts)] == [
        True,
        True,
        2,
    ]


def test_tokens_that_nobody_counted_are_unknown_and_not_zero(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.usage = None
    report = memex.consolidate()
    tokens = ("llm_calls", "llm_prompt_tokens", "llm_completion_tokens", "llm_usage")
    assert [report[key] for key in tokens] == [1, None, None, "unknown"]
    talk("sess-2", RUFF, day="2026-11-21")
    server.usage = {"prompt_tokens": 100, "completion_tokens": 10}
    report = memex.consolidate()
    assert [report[key] for key in tokens] == [1, 100, 10, "complete"]


def test_tokens_that_only_some_calls_counted_are_no_total(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    def uncounted(_: str) -> str:
        server.usage = None
        return "[]"

    talk("sess-1", RUFF)
    talk("sess-2", RUFF, day="2026-11-21")
    choose(memex, server)
    server.says = ["[]", uncounted]
    report = memex.consolidate()
    assert (report["llm_calls"], report["llm_prompt_tokens"], report["llm_usage"]) == (2, 100, "partial")


# -- dry runs and refusals ---------------------------------------------------------------------


def test_a_dry_run_without_a_model_tells_how_large_the_prompts_are(memex: Memex, talk: Talk) -> None:
    talk("sess-1", RUFF)
    seq = memex.store.journal.last_seq()
    report = memex.consolidate(mode="dry-run")
    assert (report["held"], report["llm_calls"], report["dry_run"]) == (None, 0, True)
    (prompt,) = report["prompts"]
    assert (prompt["job"], prompt["first"], prompt["last"]) == ("sess-1#1", 1, 1)
    assert 300 < prompt["tokens"] < 3000
    assert memex.store.journal.last_seq() == seq


def test_a_dry_run_with_a_model_shows_the_outcome_and_writes_no_page(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = [said(note(), note(title="Invented", quotes=[{"turn": 1, "quote": "never said this"}]))]
    seq = memex.store.journal.last_seq()
    report = memex.consolidate(dry_run=True)
    assert [row["title"] for row in report["nodes_created"]] == ["Ruff for linting"]
    assert [row["title"] for row in report["rejected"]] == ["Invented"]
    assert (drafts(memex), memex.store.journal.last_seq()) == ([], seq)
    assert memex.jobs_list()["counts"]["pending"] == 1
    assert memex.jobs_list()["calls"]["day"] == 1  # a call is a call


def test_a_dry_run_tells_what_the_rules_would_keep_out(memex: Memex, talk: Talk, server: ChatServer) -> None:
    memex.rules_add("never", "flake8")
    memex.write(type="preference", title="Linter", body="Ruff is used.")
    talk("sess-1", RUFF)
    choose(memex, server)
    evolved = note(title="Linter", body="Ruff and never flake8.", verdict="evolution", page="linter")
    plain = note(title="Ruff", body="Ruff it is.", quotes=[{"turn": 1, "quote": "I prefer ruff"}])
    server.says = [said(note(), evolved, plain)]
    tried = memex.consolidate(dry_run=True)
    assert [row["title"] for row in tried["rejected"]] == ["Ruff for linting", "Linter"]
    assert [row["slug"] for row in tried["nodes_created"]] == ["ruff"]
    done = memex.consolidate()
    assert done["rejected"] == tried["rejected"]
    assert [row["slug"] for row in done["nodes_created"]] == ["ruff"]
    assert "nothing was stored" in done["rejected"][0]["reason"]


def test_a_dry_run_knows_what_its_own_notes_would_have_written(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    other = note(title="RUFF for linting", body="Other words.")
    server.says = [said(note(), note(), other, note(title="Second"))]
    tried, done = memex.consolidate(dry_run=True), memex.consolidate()
    for report in (tried, done):
        assert [row["title"] for row in report["nodes_created"]] == ["Ruff for linting", "Second"]
        assert [row["page"] for row in report["duplicates"]] == ["ruff-for-linting"]
        assert report["nodes_updated"] == ["ruff-for-linting"]


@pytest.mark.parametrize(
    ("answer", "code", "came", "following"),
    [
        ("Sorry, I cannot do that.", "unreadable-answer", "Sorry, I cannot do that.", "memex consolidate"),
        ("", "empty-answer", "", "memex consolidate"),
        (said(note())[:-30], "cut-answer", '[{"type"', "memex models set --max-tokens N"),
    ],
)
def test_a_dry_run_with_a_bad_answer_says_what_came_and_keeps_nothing(
    memex: Memex, talk: Talk, server: ChatServer, answer: str, code: str, came: str, following: str
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = [answer]
    (failed,) = memex.consolidate(dry_run=True)["failed"]
    assert (failed["code"], failed["next"]) == (code, following)
    assert came in failed["message"]
    assert failed["impact"] == "a dry run keeps nothing of it; the turns stay unread"
    assert not [word for word in ("is kept", "were taken", "jobs") if word in " ".join(failed.values())]
    assert [row["attempts"] for row in memex.jobs_list()["jobs"]] == [0]


def test_a_secret_in_an_answer_is_neither_kept_nor_told(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    secret = "AKIA" + "IOSFODNN7EXAMPLX"
    made = note(title=f"Key {secret}", body=f"It is {secret}.", tags=[secret], links=[secret])
    bad = note(title=f"Bad {secret}", body=7)
    unproved = note(title=f"Unproved {secret}", quotes=[])
    server.says = [said(made, bad, unproved), f"no list, but {secret}"]
    report = memex.consolidate()
    assert (len(report["nodes_created"]), len(report["rejected"])) == (1, 2)
    talk("sess-2", RUFF, day="2026-11-21")
    assert memex.consolidate()["failed"][0]["code"] == "unreadable-answer"
    assert secret not in json.dumps([report, memex.jobs_show("sess-2#1")])
    assert not [path for path in Path(memex.root).rglob("*.*") if secret.encode() in path.read_bytes()]


def test_what_makes_no_sense_is_refused(memex: Memex, talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="mode"):
        memex.consolidate(mode="half")
    with pytest.raises(BadInput, match="max_episodes 0"):
        memex.consolidate(max_episodes=0)
    with pytest.raises(NotFound, match="sess-9"):
        memex.consolidate(session="sess-9")
    monkeypatch.setenv("MEMEX_INTERNAL", "1")
    with pytest.raises(Refused, match="cannot have memex ask a model"):
        memex.consolidate()


def test_two_runs_at_once_do_not_read_the_same_turns(memex: Memex, talk: Talk, server: ChatServer) -> None:
    import threading

    talk("sess-1", RUFF)
    choose(memex, server)
    server.behave("slow")
    reports: list[dict[str, Any]] = []

    def first() -> None:
        with Memex(memex.root) as other:
            reports.append(other.consolidate())

    thread = threading.Thread(target=first)
    thread.start()
    try:
        assert server.asked.wait(120)
        with pytest.raises(Locked, match="another memex consolidate is at work"):
            memex.consolidate()
        (job,) = memex.jobs_list()["jobs"]
        assert (job["id"], job["state"]) == ("sess-1#1", "running")
    finally:
        server.let_go()
        thread.join()
    assert reports[0]["episodes_processed"] == 1
    assert memex.jobs_list()["counts"]["done"] == 1


def test_the_state_file_may_be_deleted(memex: Memex, talk: Talk, server: ChatServer) -> None:
    talk("sess-1", RUFF)
    talk("sess-2", RUFF, day="2026-11-21")
    choose(memex, server, max_episodes=1)
    server.says = ["[]", "no list"]
    memex.consolidate()
    memex.consolidate()
    path = Path(memex.root, "state", "learning.json")
    path.write_text("{broken")
    counts = memex.jobs_list()["counts"]
    assert (counts["done"], counts["pending"], counts["retrying"]) == (1, 1, 0)
    path.unlink()
    assert memex.jobs_list()["counts"] == counts


def test_purging_a_session_takes_the_kept_answer_with_it(
    memex: Memex, talk: Talk, server: ChatServer
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = ["prose about a private matter"]
    memex.consolidate()
    path = Path(memex.root, "state", "learning.json")
    assert "private matter" in path.read_text()
    memex.purge(session="sess-1")
    assert "private matter" not in path.read_text()


@pytest.mark.parametrize("answer", ["prose about a private matter", said(note(body="a private matter"))[:-4]])
def test_an_answer_on_a_session_that_was_purged_meanwhile_is_not_kept(
    memex: Memex, talk: Talk, server: ChatServer, answer: str
) -> None:
    import threading

    talk("sess-1", RUFF)
    choose(memex, server)
    server.says = [answer]
    server.behave("slow")
    reports: list[dict[str, Any]] = []

    def first() -> None:
        with Memex(memex.root) as other:
            reports.append(other.consolidate())

    thread = threading.Thread(target=first)
    thread.start()
    try:
        assert server.asked.wait(120)
        memex.purge(session="sess-1")
    finally:
        server.behave("well")
        server.let_go()
        thread.join()
    assert reports[0]["nodes_created"] == []
    assert memex.jobs_list()["jobs"] == []
    for file in Path(memex.root).rglob("*"):
        if file.is_file():
            assert b"private matter" not in file.read_bytes(), file


def test_a_clock_that_was_wrong_does_not_use_up_the_day(
    memex: Memex, talk: Talk, server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    talk("sess-1", RUFF)
    choose(memex, server, max_calls_per_day=1)
    monkeypatch.setenv("MEMEX_NOW", "2031-01-01T12:00:00Z")
    memex.consolidate()
    talk("sess-2", RUFF, day="2026-11-21")
    monkeypatch.setenv("MEMEX_NOW", "2026-11-30T12:00:00Z")
    assert memex.consolidate()["waiting"] is None
    talk("sess-3", RUFF, day="2026-11-22")
    assert memex.consolidate()["waiting"]["code"] == "day-cap"
