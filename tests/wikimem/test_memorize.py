"""From a turn to entries by one call of the host's model."""

from __future__ import annotations

import json
import logging

import pytest

from memex_core.wikimem import DIARY_PROMPT, MemoryStore, memorize, parse_entries
from tests.wikimem.chat_server import ChatServer


class Says:
    """A host's model that always gives one answer, and remembers what it was asked."""

    def __init__(self, reply: str) -> None:
        self.reply = reply
        self.asked: list[list[dict[str, str]]] = []

    def chat(self, messages: list[dict[str, str]]) -> str:
        self.asked.append(messages)
        return self.reply

    @property
    def prompt(self) -> str:
        return self.asked[0][0]["content"]


ONE = '[{"content": "他换了工作。[[work:job]]"}]'


def test_one_call_then_parse_then_append(store: MemoryStore) -> None:
    llm = Says('[{"content": "First thing."}, {"content": "Second thing."}]')
    entries = memorize(
        store.diary, "turn", llm=llm, owner="user:xnne", source_conv="conv", date="2026-07-21", time="10:00"
    )
    assert len(llm.asked) == 1
    assert [entry.content for entry in entries] == ["First thing.", "Second thing."]
    assert entries == store.diary.day("2026-07-21")
    assert {(entry.time, entry.owner, entry.source_conv) for entry in entries} == {
        ("10:00", "user:xnne", "conv")
    }
    assert [line["action"] for line in store.journal.entries()] == ["diary", "diary"]


def test_what_append_takes_is_passed_on(store: MemoryStore) -> None:
    (entry,) = memorize(store.diary, "turn", llm=Says(ONE), ts="2026-07-21T06:30:00Z", tz="Asia/Shanghai")
    assert (entry.date, entry.time, entry.ts) == ("2026-07-21", "14:30", "2026-07-21T06:30:00+00:00")
    with pytest.raises(ValueError):
        memorize(store.diary, "turn", llm=Says(ONE), date="yesterday")


def test_the_prompt_names_the_character_and_holds_the_turn(store: MemoryStore) -> None:
    llm = Says("[]")
    memorize(store.diary, "User: I quit! {character}", llm=llm, character="Elaina")
    assert [message["role"] for message in llm.asked[0]] == ["user"]
    assert "You are Elaina," in llm.prompt
    assert "User: I quit! {character}" in llm.prompt  # what a person types is no place to fill in
    assert "{conversation_turn}" not in llm.prompt
    memorize(store.diary, "turn", llm=(plain := Says("[]")))
    assert "You are the assistant," in plain.prompt


def test_a_prompt_of_the_hosts_own_replaces_it_wholesale(store: MemoryStore) -> None:
    llm = Says("[]")
    memorize(
        store.diary, "the turn", llm=llm, prompt="写日记：{conversation_turn} als {character}", character="E"
    )
    assert llm.prompt == "写日记：the turn als E"
    memorize(store.diary, "the turn", llm=(bare := Says("[]")), prompt='Answer {"content": …}\n')
    assert bare.prompt == 'Answer {"content": …}\n\nthe turn'


def test_the_bundled_prompt_is_in_english_and_asks_for_the_conversations_language() -> None:
    assert DIARY_PROMPT.isascii()
    assert "language that the conversation is in" in DIARY_PROMPT
    assert {"{character}", "{conversation_turn}"} <= set(DIARY_PROMPT.replace(",", " ").split())


def test_nothing_worth_keeping_is_an_empty_list(store: MemoryStore) -> None:
    assert memorize(store.diary, "hello", llm=Says("[]")) == []
    assert not store.root.exists()


@pytest.mark.parametrize(
    "reply",
    [
        ONE,
        f"```json\n{ONE}\n```",
        f"```\n{ONE}\n```\n",
        f"Here it is:\n{ONE}\nHope that helps!",
        '{"content": "他换了工作。[[work:job]]"}',
        '```json\n{"content": " 他换了工作。[[work:job]] "}\n```',
        f'{{"entries": {ONE}}}',
        f'<think>[{{"content": "not this"}}]</think>{ONE}',
        '[{"content": "他换了工作。[[work:job]]",},]',
        "[{'content': '他换了工作。[[work:job]]'}]",
        '[{"content": "他换了工作。[[work:job]]"}, {"content": 5}, {"text": "x"}, "y", {"content": " "}, null]',
        '[{"content": "他换了工作。[[work:job]]"}, {"content": "cut o',
    ],
)
def test_a_fence_a_bare_object_and_small_faults_are_read(reply: str) -> None:
    assert parse_entries(reply) == ["他换了工作。[[work:job]]"]


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Nothing happened worth noting.",
        "I thought about [this] and {that}.",
        "[{",
        '[{"content": "cut o',
        '{"content": ',
        "```json\n```",
        "null",
        "[1, 2]",
        '"text"',
        '[{"content": null}]',
        "[" * 5000,
        '{"a":' * 5000,
        None,
        7,
    ],
)
def test_prose_and_broken_json_give_nothing_and_never_raise(store: MemoryStore, reply: str) -> None:
    assert parse_entries(reply) == []
    assert memorize(store.diary, "turn", llm=Says(reply)) == []
    assert not store.root.exists()


def test_a_list_cut_at_any_byte_keeps_what_is_whole() -> None:
    texts = [f'entry {number} with a "quote", a ] and a ```fence```' for number in range(5)]
    reply = "```json\n" + json.dumps([{"content": text} for text in texts], indent=1) + "\n```"
    kept = [parse_entries(reply[:end]) for end in range(len(reply) + 1)]
    assert kept[-1] == texts
    for found in kept:
        assert found == texts[: len(found)]
    assert [len(found) for found in kept] == sorted(len(found) for found in kept)


def test_a_model_that_fails_takes_nothing_down_and_is_logged(
    store: MemoryStore, caplog: pytest.LogCaptureFixture
) -> None:
    class Down:
        def chat(self, messages: list[dict[str, str]]) -> str:
            raise TimeoutError("no answer")

    with caplog.at_level(logging.WARNING):
        assert memorize(store.diary, "turn", llm=Down()) == []
    assert "the model call failed (TimeoutError: no answer)" in caplog.text
    assert not store.root.exists()


def test_with_a_real_client_over_http(store: MemoryStore) -> None:
    openai = pytest.importorskip("openai")

    class Client:
        def __init__(self, base: str) -> None:
            self._client = openai.OpenAI(base_url=base, api_key="none", max_retries=0)

        def chat(self, messages: list[dict[str, str]]) -> str:
            answer = self._client.chat.completions.create(model="m", messages=messages)
            return str(answer.choices[0].message.content)

    with ChatServer(f"```json\n{ONE}\n```") as server:
        entries = memorize(
            store.diary, "User: 我换工作了", llm=Client(server.base), date="2026-07-21", time="10:00"
        )
        assert [entry.content for entry in entries] == ["他换了工作。[[work:job]]"]
        assert "User: 我换工作了" in server.requests[0]["messages"][0]["content"]
        server.status = 500
        assert memorize(store.diary, "turn", llm=Client(server.base)) == []
        assert len(server.requests) == 2
