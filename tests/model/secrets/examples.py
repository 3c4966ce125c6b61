"""Invented secrets of every kind, put together when the tests run: no file holds one as it stands."""

from __future__ import annotations

import random
import string

_ANY = string.ascii_letters + string.digits
_HEX = "0123456789abcdef"
_UPPER = string.ascii_uppercase + string.digits
_URL = _ANY + "-_"
_random = random.Random("secrets")


def some(length: int, of: str = _ANY) -> str:
    """Text of these characters that ends in a letter or digit, and holds one of each at least."""
    made = "".join(_random.choice(of) for _ in range(length - 2))
    return made + ("4d" if of == _HEX else "4D")


def block(kind: str) -> str:
    lines = "\n".join(some(64) for _ in range(4))
    return f"-----BEGIN {kind}-----\n{lines}\n-----END {kind}-----"


SHAPED: dict[str, tuple[str, str]] = {
    "openai": ("openai_key", "sk-" + some(20) + "T3BlbkFJ" + some(20)),
    "openai of a project": ("openai_key", "sk-proj-" + some(120, _URL)),
    "openai of a service": ("openai_key", "sk-svcacct-" + some(80, _URL)),
    "anthropic": ("anthropic_key", "sk-ant-api03-" + some(95, _URL)),
    "openrouter": ("openrouter_key", "sk-or-v1-" + some(64, _HEX)),
    "google": ("google_api_key", "AIza" + some(35, _URL)),
    "google login": ("google_oauth", "GOCSPX-" + some(28, _URL)),
    "groq": ("groq_key", "gsk_" + some(52)),
    "xai": ("xai_key", "xai-" + some(80)),
    "hugging face": ("huggingface_token", "hf_" + some(34)),
    "replicate": ("replicate_token", "r8_" + some(37)),
    "aws": ("aws_key_id", "AKIA" + some(16, _UPPER)),
    "aws for a while": ("aws_key_id", "ASIA" + some(16, _UPPER)),
    "github": ("github_token", "ghp_" + some(36)),
    "github login": ("github_token", "gho_" + some(36)),
    "github server": ("github_token", "ghs_" + some(36)),
    "github fine": ("github_token", "github_pat_" + some(22) + "_" + some(59)),
    "gitlab": ("gitlab_token", "glpat-" + some(20, _URL)),
    "bitbucket": ("bitbucket_token", "ATBB" + some(32)),
    "atlassian": ("atlassian_token", "ATATT3" + some(180, _URL)),
    "npm": ("npm_token", "npm_" + some(36)),
    "pypi": ("pypi_token", "pypi-AgEIcHlwaS5vcmc" + some(80, _URL)),
    "rubygems": ("rubygems_key", "rubygems_" + some(48, _HEX)),
    "docker": ("docker_token", "dckr_pat_" + some(27, _URL)),
    "slack": ("slack_token", "xoxb-123456789012-1234567890123-" + some(24)),
    "slack app": ("slack_token", "xapp-1-A0123456789-1234567890123-" + some(64, _HEX)),
    "discord": ("discord_token", "MTE" + some(21) + "." + some(6) + "." + some(38, _URL)),
    "telegram": ("telegram_token", "123456789:AAH" + some(32, _URL)),
    "stripe": ("stripe_key", "sk_live_" + some(24)),
    "stripe limited": ("stripe_key", "rk_test_" + some(24)),
    "stripe webhook": ("stripe_webhook", "whsec_" + some(32)),
    "square": ("square_token", "sq0atp-" + some(22, _URL)),
    "shopify": ("shopify_token", "shpat_" + some(32, _HEX)),
    "twilio": ("twilio_key", "SK" + some(32, _HEX)),
    "sendgrid": ("sendgrid_key", "SG." + some(22, _URL) + "." + some(43, _URL)),
    "mailgun": ("mailgun_key", "key-" + some(32, _HEX)),
    "mailchimp": ("mailchimp_key", some(32, _HEX) + "-us12"),
    "digitalocean": ("digitalocean_token", "dop_v1_" + some(64, _HEX)),
    "databricks": ("databricks_token", "dapi" + some(32, _HEX)),
    "vault": ("vault_token", "hvs." + some(90, _URL)),
    "terraform": ("terraform_token", some(14) + ".atlasv1." + some(67, _URL)),
    "azure login": ("azure_secret", some(3) + "8Q~" + some(34)),
    "grafana": ("grafana_token", "glsa_" + some(32) + "_" + some(8, _HEX)),
    "linear": ("linear_key", "lin_api_" + some(40)),
    "figma": ("figma_token", "figd_" + some(40, _URL)),
    "jwt": ("jwt", "eyJ" + some(30) + ".eyJ" + some(60) + "." + some(43, _URL)),
    "rsa": ("private_key", block("RSA PRIVATE KEY")),
    "ssh": ("private_key", block("OPENSSH PRIVATE KEY")),
    "pgp": ("private_key", block("PGP PRIVATE KEY BLOCK")),
    "age": ("age_key", "AGE-SECRET-KEY-1" + some(58, _UPPER)),
}
"""What it is -> (kind, secret). Known by their shape, wherever they stand."""

TOLD: dict[str, tuple[str, str, str]] = {
    "aws secret": ("aws_secret_key", "aws_secret_access_key = {}", some(38) + "/+"),
    "azure storage": ("azure_key", "AccountName=x;AccountKey={};EndpointSuffix=core", some(86) + "=="),
    "slack hook": ("slack_webhook", "https://hooks.slack.com/{}", f"services/T0AAAAAAA/B0BBBBBBB/{some(24)}"),
    "discord hook": (
        "discord_webhook",
        "https://discord.com/api/webhooks/{}",
        f"123456789012345678/{some(68, _URL)}",
    ),
    "database": ("url_password", "postgres://app:{}@db.example/prod", "s3cr3t-Pa55"),
    "redis": ("url_password", "redis://:{}@cache/0", "p4ssw0rds"),
    "web login": ("url_password", "https://ada:{}@example.org/x", "correcthorse"),
    "netrc": ("password", "machine db.example login ada password {}", "Tr0ub4dor99"),
    "toml": ("password", "password = '''{}'''", "Tr0ub4dor-99x"),
    "auf Deutsch": ("password", "Passwort: {}", "Tr0ub4dor99"),
    "bearer": ("bearer_token", "Authorization: Bearer {}", some(40)),
    "basic": ("authorization", "Authorization: Basic {}", "YWRhOnNlY3JldHM="),
    "curl": ("basic_auth", "curl -u ada:{} https://example.org", "hunter2!"),
    "password": ("password", "password: {}", "hunter22"),
    "password in JSON": ("password", '{{"password": "{}"}}', "letmeinnow"),
    "password in code": ("password", "db_password = '{}'", "Tr0ub4dor&3"),
    "password in escaped JSON": ("password", '{{\\"password\\": \\"{}\\"}}', "hunter2222"),
    "password of an environment": ("password", "DB_PASSWORD={}", "supersecret"),
    "password option": ("password", "mysql --password={} shop", "abc123xyz"),
    "password behind an option": ("password", "psql --password {}", "abc123xyz"),
    "password said": ("password", "My password is {}.", "Winter2026"),
    "password in XML": ("password", "<password>{}</password>", "s3cr3tXml"),
    "password in a table": ("password", "| password | {} |", "s3cr3tTable"),
    "password in bold": ("password", "**Password:** `{}`", "s3cr3tBold"),
    "passphrase": ("password", "passphrase = {}", "open-sesame-42"),
    "client secret": ("secret", "client_secret: {}", some(30)),
    "token": ("token", "token = '{}'", some(20)),
    "token in a URL": ("token", "https://example.org/x?access_token={}&page=2", some(24)),
    "api key": ("api_key", 'api_key = "{}"', some(32, _HEX)),
    "api key header": ("api_key", "X-Api-Key: {}", some(32)),
}
"""What it is -> (kind, text with a hole, secret). Known by what stands before them."""


def in_context() -> dict[str, tuple[str, str, str]]:
    """Every secret: what it is -> (kind, a text that holds it, the secret)."""
    shaped = {name: (kind, f"Use {secret} there.", secret) for name, (kind, secret) in SHAPED.items()}
    return {**shaped, **{name: (kind, hole.format(it), it) for name, (kind, hole, it) in TOLD.items()}}
