"""Secrets leave a text; what only looks like one stays."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memex_core.model.secrets.kinds import KINDS
from memex_core.model.secrets.scrub import find_secrets, scrub
from tests.model.secrets.examples import SHAPED, TOLD, in_context, some

ALL = in_context()


def test_there_are_many_kinds() -> None:
    assert len({kind for kind, _, _ in ALL.values()}) >= 45
    assert len({kind.name for kind in KINDS}) >= 50


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("around", ["{}", "x\n\n{}\n", "- ünï {} — und so weiter", "```\n{}\n```\n", "({})"])
def test_a_secret_is_replaced_by_its_kind(name: str, around: str) -> None:
    kind, text, secret = ALL[name]
    done = scrub(around.format(text))
    assert done.text == around.format(text.replace(secret, f"[REDACTED:{kind}]"))
    assert done.counts == {kind: 1}


@pytest.mark.parametrize("name", ALL)
def test_what_was_scrubbed_is_clean(name: str) -> None:
    once = scrub(ALL[name][1]).text
    assert scrub(once) == (once, {})


@pytest.mark.parametrize("name", SHAPED)
@pytest.mark.parametrize(
    "around", ['"{}"', "`{}`", "<{}>", "TOKEN={}", "a,{};b", "/x/{}?y", "[[{}]]", "\\n{}"]
)
def test_a_shape_is_known_wherever_it_stands(name: str, around: str) -> None:
    secret = SHAPED[name][1]
    done = scrub(around.format(secret))
    assert secret not in done.text
    assert "[REDACTED:" in done.text


def test_several_secrets_are_counted_each() -> None:
    github, slack = SHAPED["github"][1], SHAPED["slack"][1]
    done = scrub(f"{github} and {github}, {slack}; password: hunter22")
    assert done.text == (
        "[REDACTED:github_token] and [REDACTED:github_token], [REDACTED:slack_token]; "
        "password: [REDACTED:password]"
    )
    assert done.counts == {"github_token": 2, "slack_token": 1, "password": 1}


def test_a_named_shape_is_told_by_its_shape() -> None:
    token = SHAPED["github"][1]
    assert scrub(f"GITHUB_TOKEN={token}").text == "GITHUB_TOKEN=[REDACTED:github_token]"
    assert scrub(f"password: {token}").counts == {"github_token": 1}


def test_what_is_kept_on_purpose_stays() -> None:
    token = SHAPED["npm"][1]
    assert scrub(f"{token} password: hunter22", lambda secret: secret == token) == (
        f"{token} password: [REDACTED:password]",
        {"password": 1},
    )


PLAIN = {
    "uuid": "id 123e4567-e89b-12d3-a456-426614174000",
    "git sha": "commit 0123456789abcdef0123456789abcdef01234567",
    "sha256": "sha256:" + some(64, "0123456789abcdef"),
    "image": "![x](data:image/png;base64," + base64.b64encode(some(3000).encode()).decode() + ")",
    "integrity": "integrity sha512-" + some(86) + "==",
    "public key": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + some(40),
    "certificate": f"-----BEGIN CERTIFICATE-----\n{some(64)}\n-----END CERTIFICATE-----",
    "prose about keys": "A file that begins with -----BEGIN PRIVATE KEY----- is secret.",
    "prose": "password: the one you chose",
    "rule": "password: at least 8 characters",
    "lengths": "password: 8-64 characters",
    "said": "The password is required and case-sensitive.",
    "call": "password = get_password()",
    "variable": "password: ${DB_PASSWORD}",
    "environment": 'password = os.environ["PASSWORD"]',
    "attribute": "token = self.session.token",
    "awaited": "const token = await getToken()",
    "to fill in": "password: <your password>",
    "example": 'api_key="your-api-key-here"',
    "stars": "password: ********",
    "schema": '{"password": "string", "token": "string"}',
    "label": '"password": "Passwort"',
    "annotation": "def login(password: str, token: Optional[str] = None) -> None:",
    "arguments": "login(password=password, token=token, secret=secret)",
    "number of tokens": "max_tokens: 4096, tokens = 12345678",
    "tokenizer": "tokenizer: cl100k_base",
    "name of a secret": "secret: kubernetes/my-app-v2",
    "primary key": "primary_key = order_id_2024",
    "no key": "monkey: bananas12345x",
    "slug": "task-management-system-overview-2024-final-version",
    "risk": "risk-averse-0123456789abcdef0123",
    "port": "https://example.org:8080/path@x",
    "remote": "git@github.com:ada/kettle.git",
    "template login": "postgres://app:${PASSWORD}@db/x and https://user:<password>@host/",
    "call id": "toolu_01A09q90qw90lq917835lq9 and msg_01XFDUDYJgAACzvnptvVoYEL",
    "wiki-link": "[[Token: renewals 2024]]",
    "vault": "password: !vault",
    "version": "secret-manager 2.31.0, api-key-rotation-2024",
    "variables of code": "if password == confirm_password: user.password = proposed_password",
    "type of a key": "def sign(private_key: Ed25519PrivateKey, api_key: ServiceAccountKey) -> bytes",
    "name of an error": "fail_on_invalid_token: InvalidContinuationTokenException",
    "from the end": "next_token = found[-1].id; raw_token = token[2:-1]",
    "name in the cloud": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbC123",
    "a file": "private_key: certs/server1.pem, api key: docs/keys.md#rotation2",
    "where it is kept": "password: 1Password, or password: see 1Password",
    "scrubbed": "password: [REDACTED:password], https://ada:[REDACTED:url_password]@example.org",
}


@pytest.mark.parametrize("name", PLAIN)
def test_no_secret(name: str) -> None:
    assert scrub(PLAIN[name]) == (PLAIN[name], {})


def test_public_prose_of_this_project_is_left_alone() -> None:
    from pathlib import Path

    readme = Path(__file__).parents[3] / "README.md"
    assert find_secrets(readme.read_text(encoding="utf-8")) == []


@given(st.text())
def test_any_text_is_survived_and_stays_without_a_secret_in_it(text: str) -> None:
    done = scrub(text)
    assert done.counts or done.text == text


@given(
    st.lists(
        st.sampled_from(
            [*(secret for _, secret in SHAPED.values()), " ", "\n", "password=", "x", "é", '"', "://a:", "@b"]
        )
    )
)
def test_scrubbing_twice_is_scrubbing_once(parts: list[str]) -> None:
    once = scrub("".join(parts)).text
    assert scrub(once).text == once


@pytest.mark.parametrize("name", TOLD)
def test_places_are_those_of_the_text(name: str) -> None:
    kind, text, secret = ALL[name]
    text = f"🫖 İstanbul\u2028{text}"
    (found,) = find_secrets(text)
    assert (text[found.start : found.end], found.kind) == (secret, kind)


HARD = {
    "passwords": "password=" * 40_000,
    "keys": "sk-" * 100_000,
    "heads": "eyJ" * 100_000,
    "parts": "eyJaaaaaaaa." * 25_000,
    "blocks": "-----BEGIN PRIVATE KEY-----\n" * 10_000,
    "one block": "-----BEGIN PRIVATE KEY----- " + "a b " * 80_000,
    "logins": "://a:" * 60_000,
    "one login": "://" + "a" * 300_000 + ":",
    "curls": "https:// " + "curl -u a " * 30_000,
    "base64": "Ab3/" * 80_000,
    "blanks": "token" + " " * 300_000 + "--",
    "signs": "=" * 300_000,
    "quotes": "password" + "`" * 300_000,
}


@pytest.mark.parametrize("name", HARD)
def test_no_text_is_too_hard(name: str) -> None:
    """A quadratic pattern would need minutes for these; the whole suite would tell."""
    text = HARD[name]
    assert len(scrub(text).text) <= len(text) + 100_000
