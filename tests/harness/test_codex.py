"""Codex CLI's rollouts of every generation, rule by rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memex_core.harness.talk import Talk
from tests.harness.writing import Record, at, lines, read, said, tools

ID = "0190aaaa-0000-7000-8000-0000000000a1"
PARENT = "0190aaaa-0000-7000-8000-0000000000f0"
NAME = f"rollout-2026-03-04T11-00-00-{ID}.jsonl"


def line(kind: str, minute: int = 1, **payload: Any) -> Record:
    return {"timestamp": at(minute), "type": kind, "payload": payload}


def meta(session: str = ID, **more: Any) -> Record:
    return line(
        "session_meta", 0, id=session, cwd="/w/boat", cli_version="0.104.0", git={"branch": "main"}, **more
    )


def message(role: str, text: str, minute: int = 1, **more: Any) -> Record:
    kind = "output_text" if role == "assistant" else "input_text"
    content = [{"type": kind, "text": text}]
    return line("response_item", minute, type="message", role=role, content=content, **more)


def event(kind: str, minute: int = 1, **more: Any) -> Record:
    return line("event_msg", minute, type=kind, **more)


def item(kind: str, turn: str = "T1", **more: Any) -> Record:
    return event("item_completed", turn_id=turn, item={"type": kind, **more})


def total(*numbers: int) -> Record:
    keys = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens")
    return event("token_count", info={"total_token_usage": dict(zip(keys, numbers, strict=True))})


def test_everything_is_said_twice_and_kept_once(tmp_path: Path) -> None:
    path = lines(
        tmp_path / NAME,
        meta(),
        message("user", "Fix the mast"),
        event("user_message", message="Fix the mast", images=[]),
        event("agent_message", message="Fixing."),
        message("assistant", "Fixing."),
        line("response_item", type="reasoning", summary=[{"type": "summary_text", "text": "Look up"}]),
        event("agent_reasoning", text="Look up"),
        message("assistant", "Fixed."),
    )
    found = read(path)
    assert said(found, "user") == ["Fix the mast"]
    assert said(found, "agent") == ["Fixing.", "Fixed."]
    assert found.turns[-1]["thinking"] == "Look up"


def test_saying_yes_twice_is_two_turns_and_an_event_without_a_twin_one(tmp_path: Path) -> None:
    yes = (message("user", "yes"), event("user_message", message="yes"))
    found = read(lines(tmp_path / NAME, meta(), *yes, message("assistant", "Sure?"), *yes))
    assert said(found, "user") == ["yes", "yes"]
    events = [event("user_message", message="yes"), event("agent_message", message="Sure?")]
    found = read(lines(tmp_path / "b" / NAME, meta(), *events, events[0]))
    assert [turn["content"] for turn in found.turns] == ["yes", "Sure?", "yes"]


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nUse metres.\n</INSTRUCTIONS>", []),
        ("<environment_context>\n<cwd>/w</cwd>\n</environment_context>", []),
        ("<user_instructions>Be brief</user_instructions>", []),
        ("<turn_aborted>\nThe user broke off.\n</turn_aborted>", []),
        ("<skill><name>x</name></skill>", []),
        ('<codex_internal_context source="goal">go on</codex_internal_context>', []),
        ("<recommended_plugins>a</recommended_plugins>\nRow", ["Row"]),
        (
            "# Context from my IDE setup:\n\n## Open tabs:\n- hull.py\n\n## My request for Codex:\nRow",
            ["Row"],
        ),
        ("Why is there an <environment_context> in it?", ["Why is there an <environment_context> in it?"]),
    ],
)
def test_what_a_person_typed(tmp_path: Path, text: str, typed: list[str]) -> None:
    assert said(read(lines(tmp_path / NAME, meta(), message("user", text))), "user") == typed


def test_two_records_without_ids_on_one_line_are_two_turns(tmp_path: Path) -> None:
    both = json.dumps(message("user", "yes")) + json.dumps(message("user", "no")) + "\n"
    assert said(read(lines(tmp_path / NAME, meta(), both.encode())), "user") == ["yes", "no"]


def test_developer_and_system_messages_are_nobodys(tmp_path: Path) -> None:
    found = read(lines(tmp_path / NAME, meta(), message("developer", "Ask first"), message("system", "Obey")))
    assert found.turns == []


def call(
    name: str, arguments: Any, call_id: str, kind: str = "function_call", key: str = "arguments"
) -> Record:
    return line("response_item", type=kind, name=name, call_id=call_id, **{key: arguments})


def output(call_id: str, told: Any, kind: str = "function_call_output") -> Record:
    return line("response_item", 2, type=kind, call_id=call_id, output=told)


def test_calls_and_outputs_in_all_their_shapes(tmp_path: Path) -> None:
    path = lines(
        tmp_path / NAME,
        meta(),
        call("exec_command", '{"cmd":"ruler"}', "c1"),
        output("c1", '{"output":"38 mm","metadata":{"exit_code":0}}'),
        call("shell", '{"cmd":"no"}', "c2"),
        output("c2", {"output": "not found", "metadata": {"exit_code": 127}}),
        call("apply_patch", "*** Begin Patch", "c3", "custom_tool_call", "input"),
        output("c3", [{"type": "output_text", "text": "Done!"}], "custom_tool_call_output"),
        call("exec_command", '{"cmd":"x"}', "c4"),
        output("c4", "Wall time: 1s\nProcess exited with code 2\nOutput:\nbad"),
        call("list_dir", None, "c5"),
        output("c5", {"content": "hull", "success": False}),
        line("response_item", type="local_shell_call", call_id="c6", action={"command": ["ls"]}),
        line("response_item", type="web_search_call", action={"type": "search", "query": "masts"}),
        call("exec_command", '{"cmd":"sleep"}', "c7"),
        output("c8", "nobody asked"),
    )
    found = read(path)
    assert tools(found) == [
        ("exec_command", '{"cmd":"ruler"}', "38 mm", False),
        ("shell", '{"cmd":"no"}', "not found", True),
        ("apply_patch", "*** Begin Patch", "Done!", False),
        ("exec_command", '{"cmd":"x"}', "Wall time: 1s\nProcess exited with code 2\nOutput:\nbad", True),
        ("list_dir", None, "hull", True),
        ("local_shell", '{"command": ["ls"]}', None, None),
        ("web_search", '{"query": "masts"}', None, None),
        ("exec_command", '{"cmd":"sleep"}', None, None),
        (None, None, "nobody asked", False),
    ]
    assert [turn.get("exit_code") for turn in found.turns][:4] == [None, 127, None, 2]


def test_a_paginated_session_tells_items(tmp_path: Path) -> None:
    path = lines(
        tmp_path / NAME,
        meta(history_mode="paginated"),
        item("UserMessage", id="i1", content=[{"type": "text", "text": "In feet?"}]),
        item("Reasoning", id="i2", summary_text=["Convert"], raw_content=[]),
        item("CommandExecution", id="i3", command=["units", "9 m", "ft"], status="failed",
             aggregated_output="units: not found", exit_code=127),
        call("exec", 'units "9 m" ft', "c1", "custom_tool_call", "input"),
        output("c1", [{"type": "input_text", "text": "units: not found"}], "custom_tool_call_output"),
        item("McpToolCall", id="i4", server="sea", tool="tide", arguments={"port": "Hull"}, result="low"),
        item("AgentMessage", id="i5", content=[{"type": "Text", "text": "About 30 ft."}]),
        item("Plan", id="i6", text="1. row"),
    )  # fmt: skip
    found = read(path)
    assert [turn["content"] for turn in found.turns if turn["role"] != "tool"] == ["In feet?", "About 30 ft."]
    assert tools(found) == [
        ("exec", "units 9 m ft", "units: not found", True),
        ("sea.tide", '{"port": "Hull"}', "low", False),
    ]
    assert (found.turns[1]["exit_code"], found.turns[1]["thinking"]) == (127, "Convert")


def test_an_item_behind_its_call_is_the_same_deed(tmp_path: Path) -> None:
    path = lines(
        tmp_path / NAME,
        meta(),
        call("exec_command", '{"cmd":"make hull"}', "c1"),
        item("CommandExecution", id="i1", command=["bash", "-lc", "make hull"], status="failed", exit_code=2),
        output("c1", "no rule"),
        call("apply_patch", "*** Begin Patch", "c2", "custom_tool_call", "input"),
        item("FileChange", id="i2", changes={}, status="completed"),
        output("c2", "Done!", "custom_tool_call_output"),
    )
    found = read(path)
    assert [(one[0], one[2]) for one in tools(found)] == [
        ("exec_command", "no rule"),
        ("apply_patch", "Done!"),
    ]
    assert found.turns[0]["exit_code"] == 2


def test_tokens_are_the_last_total_and_go_on_after_a_resume(tmp_path: Path) -> None:
    path = tmp_path / NAME
    assert read(lines(path, meta(), event("token_count", info=None))).usage() is None
    found = read(
        lines(path, meta(), total(900, 100, 40, 10), total(900, 100, 40, 10), total(2100, 900, 120, 30))
    )
    usage = found.usage()
    assert usage is not None
    assert (usage["input"], usage["input_total"], usage["cached"]) == (1200, 2100, 900)
    assert (usage["output"], usage["reasoning"]) == (120, 30)
    resumed = read(lines(path, meta(), total(900, 100, 40, 10), total(50, 0, 5, 1), total(70, 0, 9, 1)))
    assert resumed.usage() == {
        "input": 870, "input_total": 970, "input_uncached": 870, "cached": 100, "output": 49, "reasoning": 11,
    }  # fmt: skip


def test_a_rolled_back_turn_stays_marked(tmp_path: Path) -> None:
    path = lines(
        tmp_path / NAME,
        meta(),
        message("user", "One"),
        message("assistant", "1"),
        message("user", "Two"),
        message("assistant", "2"),
        message("user", "Three"),
        event("thread_rolled_back", num_turns=2),
        message("user", "Other"),
        event("thread_rolled_back", num_turns=1),
    )
    found = read(path)
    assert said(found, "user") == ["One", "Two", "Three", "Other"]
    assert found.memo["marks"] == [[3, 5], [6, 6]]


def test_a_copied_history_and_broken_off_turns_are_events(tmp_path: Path) -> None:
    history = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Copied"}]}]
    path = lines(
        tmp_path / NAME,
        meta(),
        line("compacted", message="", replacement_history=history),
        event("turn_aborted", reason="interrupted"),
    )
    found = read(path)
    assert found.turns == []
    assert [(e["kind"], e.get("text")) for e in found.memo["events"]] == [
        ("compaction", None),
        ("interrupted", "interrupted"),
    ]


def test_how_a_session_ended(tmp_path: Path) -> None:
    ends = [event("task_complete", turn_id="T1"), event("turn_aborted", turn_id="T2", reason="interrupted")]
    told = [meta(), message("user", "Row"), event("task_started", turn_id="T1")]
    for end, state in zip([*ends, None], ["complete", "interrupted", "unfinished"], strict=True):
        path = lines(tmp_path / str(state) / NAME, *told, *([end] if end else []))
        assert read(path).meta()["metadata"]["ended_state"] == state


def test_models_and_folders_change_and_kinds_nobody_knows_are_counted(tmp_path: Path) -> None:
    path = lines(
        tmp_path / NAME,
        meta(source={"custom": 1}),
        line("turn_context", turn_id="T1", cwd="/w/boat", model="m-a"),
        line("turn_context", turn_id="T2", cwd="/w/boat/hull", model="m-b"),
        line("world_state", state={"text": "Use metres"}),
        line("tea_break"),
        event("tea_event"),
        line("response_item", type="tea_item"),
    )
    found = read(path)
    assert found.meta()["models"] == ["m-a", "m-b"]
    assert found.meta()["metadata"]["cwds"] == ["/w/boat", "/w/boat/hull"]
    assert found.meta()["metadata"]["turn_ids"] == ["T1", "T2"]
    assert found.memo["unknown"] == {"tea_break": 1, "tea_event": 1, "tea_item": 1}
    assert found.memo["facts"]["git_branch"] == "main"


def test_a_bare_file_of_the_first_versions(tmp_path: Path) -> None:
    path = lines(
        tmp_path / NAME,
        {"id": ID, "timestamp": at(0), "instructions": None, "git": {"branch": "old"}},
        {"record_type": "state"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Row"}]},
        {"record_type": "state"},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": "wet"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Rowed."}]},
    )
    found = read(path)
    assert found.session_id == ID
    assert [turn["content"] for turn in found.turns] == ["Row", "", "Rowed."]
    assert tools(found) == [("shell", "{}", "wet", False)]
    assert len({turn["xid"] for turn in found.turns}) == 3


def fork(*more: Record) -> list[Record]:
    own = {"forked_from_id": PARENT}
    return [
        meta(ID, **own),
        meta(PARENT),
        line("turn_context", 9, turn_id="P1", model="m-old"),
        item("UserMessage", "P1", id="i1", content=[{"type": "text", "text": "How tall?"}]),
        item("AgentMessage", "P1", id="i2", content=[{"type": "Text", "text": "Nine metres."}]),
        total(900, 0, 40, 0),
        *more,
    ]


OWN = [
    event("task_started", 10, turn_id="T9"),
    line("turn_context", 10, turn_id="T9", model="m-new"),
    item("UserMessage", "T9", id="i3", content=[{"type": "text", "text": "In feet?"}]),
    total(70, 0, 7, 0),
]


def test_a_fork_repeats_its_parent_up_to_the_first_turn_of_its_own(tmp_path: Path) -> None:
    home = tmp_path / "sessions" / "2026"
    lines(
        home / f"rollout-2026-03-01T11-00-00-{PARENT}.jsonl", meta(PARENT), line("turn_context", turn_id="P1")
    )
    found = read(lines(home / "03" / NAME, *fork(*OWN)))
    assert said(found, "user") == ["In feet?"]
    assert said(found, "agent") == []
    assert found.meta()["models"] == ["m-new"]
    assert found.meta()["metadata"]["forked_from"] == PARENT
    usage = found.usage()
    assert usage is not None
    assert usage["input"] == 70
    only_copied = read(lines(home / "04" / NAME, *fork()))
    assert only_copied.turns == []


def test_a_prompt_that_stands_before_its_context_is_the_forks_own(tmp_path: Path) -> None:
    home = tmp_path / "sessions"
    lines(
        home / f"rollout-2026-03-01T11-00-00-{PARENT}.jsonl", meta(PARENT), line("turn_context", turn_id="P1")
    )
    own = [message("user", "In feet?"), line("turn_context", turn_id="T9"), message("assistant", "Thirty.")]
    found = read(lines(home / NAME, *fork(*own)))
    assert [turn["content"] for turn in found.turns] == ["In feet?", "Thirty."]


def test_without_its_parent_all_of_a_fork_is_its_own(tmp_path: Path) -> None:
    assert said(read(lines(tmp_path / "sessions" / NAME, *fork(*OWN))), "user") == ["How tall?", "In feet?"]


def test_a_spawned_agent_names_its_parent(tmp_path: Path) -> None:
    source = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}
    facts = read(lines(tmp_path / NAME, meta(source=source))).memo["facts"]
    assert (facts["subagent"], facts["parent_session"]) == (True, PARENT)


@pytest.mark.parametrize(
    "told",
    [
        {"source": {"subagent": {"thread_spawn": {"parent_thread_id": PARENT, "depth": 1}}}},
        {"source": {"subagent": "review"}},
        {"source": {"subagent": {"other": "helper"}}},
        {"parent_thread_id": PARENT},
    ],
)
def test_the_task_of_a_spawned_agent_is_no_persons_word(tmp_path: Path, told: dict[str, Any]) -> None:
    opening = meta(**told, thread_source="user")
    found = read(lines(tmp_path / NAME, opening, message("user", "Use yarn"), message("assistant", "Done.")))
    assert found.memo["facts"]["subagent"] is True
    assert [(one["role"], one["content"], one.get("kind"), one["sidechain"]) for one in found.turns] == [
        ("agent", "Use yarn", "task", True),
        ("agent", "Done.", None, True),
    ]


def test_the_task_of_a_spawned_fork_that_stands_before_its_context(tmp_path: Path) -> None:
    home = tmp_path / "sessions"
    lines(
        home / f"rollout-2026-03-01T11-00-00-{PARENT}.jsonl", meta(PARENT), line("turn_context", turn_id="P1")
    )
    own = [message("user", "In feet?"), line("turn_context", turn_id="T9"), message("assistant", "Thirty.")]
    first, *rest = fork(*own)
    first["payload"]["source"] = {"subagent": {"thread_spawn": {"parent_thread_id": PARENT}}}
    found = read(lines(home / NAME, first, *rest))
    assert [(turn["role"], turn["content"]) for turn in found.turns] == [
        ("agent", "In feet?"),
        ("agent", "Thirty."),
    ]


def test_a_name_that_a_person_gave_is_the_title(tmp_path: Path) -> None:
    home = tmp_path / ".codex"
    path = lines(home / "sessions" / "2026" / NAME, meta(), message("user", "Row"))
    assert "title" not in read(path).memo["facts"]
    lines(
        home / "session_index.jsonl",
        {"id": ID, "thread_name": "Newest", "updated_at": "2026-03-05T00:00:00Z"},
        {"id": ID, "thread_name": "Older", "updated_at": "2026-03-04T00:00:00Z"},
        {"id": PARENT, "thread_name": "Another"},
    )
    assert read(path).memo["facts"]["title"] == "Newest"


def test_an_early_document(tmp_path: Path) -> None:
    from memex_core.harness.places import conversations

    items = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Row"}]}]
    told = {"session": {"id": ID, "timestamp": at(0), "instructions": ""}, "items": items}
    path = tmp_path / "rollout-2025-04-20.json"
    path.write_text(json.dumps(told))
    (found,) = conversations(str(path), [])
    assert (found.session_id, said(found, "user")) == (ID, ["Row"])


def record(thread: int | None, turn: int | None = None) -> Record:
    told = {
        key: {
            "input_tokens": number,
            "cached_input_tokens": 10,
            "output_tokens": 5,
            "total_tokens": number + 5,
        }
        for key, number in (("thread_token_usage", thread), ("turn_token_usage", turn))
        if number is not None
    }
    return line("token_usage_record", **told)


def test_the_latest_usage_record_is_the_sessions_total(tmp_path: Path) -> None:
    found = read(lines(tmp_path / NAME, meta(), message("user", "Row"), record(100, 100), record(250, 150)))
    usage = found.meta()["token_usage"]
    assert (usage["input_total"], usage["cached"], usage["input"], usage["output"]) == (250, 10, 240, 5)
    # both of the same turn, of which the latest is the answer
    assert [(one["turn"], one["usage"]["input"]) for one in found.meta()["turn_token_usage"]] == [(1, 150)]
    assert found.memo["unknown"] == {}


def counted(total: int, last: int) -> Record:
    told = (("total_token_usage", total), ("last_token_usage", last))
    return line("event_msg", type="token_count", info={key: {"input_tokens": used} for key, used in told})


def spent(found: Talk) -> list[tuple[int, int]]:
    return [(one["turn"], one["usage"]["input"]) for one in found.meta()["turn_token_usage"]]


def test_each_request_of_a_turn_is_charged_once(tmp_path: Path) -> None:
    said = [
        *(message("user", "Row"), message("assistant", "Wait."), counted(100, 100), counted(250, 150)),
        *(message("assistant", "Done."), counted(250, 150), counted(450, 200)),
        *(message("user", "On"), counted(460, 10), message("assistant", "Gone."), counted(480, 20)),
    ]
    found = read(lines(tmp_path / NAME, meta(), *said))
    assert spent(found) == [(2, 100), (3, 360), (5, 20)]


def test_the_record_of_a_turn_goes_before_the_counts_of_its_requests(tmp_path: Path) -> None:
    said = [
        *(line("turn_context", turn_id="t1"), message("user", "Row"), message("assistant", "Done.")),
        *(counted(100, 100), record(100, 100), line("turn_context", turn_id="t2"), message("user", "On")),
        *(counted(130, 30), record(130, 30), message("assistant", "Gone."), record(150, 50)),
    ]
    found = read(lines(tmp_path / NAME, meta(), *said))
    assert spent(found) == [(2, 100), (4, 50)]


def test_the_two_ways_of_counting_are_not_added_up(tmp_path: Path) -> None:
    told = [total(90, 0, 5, 0), record(500), total(95, 0, 5, 0), record(510)]
    usage = read(lines(tmp_path / NAME, meta(), message("user", "Row"), *told)).usage()
    assert usage is not None and usage["input_total"] == 510


def test_a_usage_record_that_tells_nothing_is_counted_by_name(tmp_path: Path) -> None:
    found = read(lines(tmp_path / NAME, meta(), message("user", "Row"), line("token_usage_record", n=1)))
    assert found.usage() is None
    assert found.memo["unknown"] == {"token_usage_record": 1}


def test_what_agents_write_to_each_other_is_kept_apart_from_the_conversation(tmp_path: Path) -> None:
    path = lines(
        tmp_path / NAME,
        meta(),
        message("user", "Row"),
        line(
            "response_item",
            type="agent_message",
            author="/root/mate",
            recipient="/root",
            content="Mast is up.",
        ),
        line("response_item", type="agent_message", content=[{"type": "output_text", "text": "Aye."}]),
        line("response_item", type="agent_message", content=[{"type": "x", "encrypted_content": "gAAA"}]),
        line("inter_agent_communication", content="gAAA"),
        message("assistant", "Rowed."),
    )
    found = read(path)
    told = [(t["content"], t.get("name"), t.get("kind"), t.get("sidechain")) for t in found.turns]
    assert told == [
        ("Row", None, None, None),
        ("Mast is up.", "/root/mate", "agent-message", True),
        ("Aye.", None, "agent-message", True),
        ("Rowed.", None, None, None),
    ]
    assert found.memo["unknown"] == {"agent_message without plain text": 1, "inter_agent_communication": 1}


def test_a_resumed_session_tells_anew_where_it_runs(tmp_path: Path) -> None:
    again = line(
        "session_meta",
        5,
        id=ID,
        cwd="/w/hull",
        cli_version="0.154.0",
        model_provider="lab",
        git={"branch": "keel", "commit_hash": "c0ffee"},
    )
    modes = [
        line("turn_context", effort="low"),
        line("turn_context", reasoning_effort="low"),
        line("turn_context", collaboration_mode={"settings": {"reasoning_effort": "high"}}, effort="low"),
    ]
    told = read(lines(tmp_path / NAME, meta(), message("user", "Row"), *modes, again)).meta()
    assert (told["cwd"], told["git_branch"]) == ("/w/hull", "keel")
    about = told["metadata"]
    assert about["versions"] == ["0.104.0", "0.154.0"]
    assert about["reasoning_efforts"] == ["low", "high"]
    assert (about["provider"], about["git_commit"], about["resumed"]) == ("lab", "c0ffee", True)


def test_a_parents_meta_that_is_replayed_tells_nothing_of_the_fork(tmp_path: Path) -> None:
    told = read(lines(tmp_path / NAME, meta(ID, forked_from_id=PARENT), meta(PARENT) | {"payload": {
        "id": PARENT, "cwd": "/elsewhere"}}, message("user", "Row"))).meta()  # fmt: skip
    assert told["cwd"] == "/w/boat"
    assert "resumed" not in told["metadata"]
