from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memex_core.files.config import SECTIONS, Config, data_dir, load
from memex_core.files.layout import Layout
from memex_core.model.errors import Damaged


def configured(layout: Layout, text: str | bytes, **environ: str) -> Config:
    Path(layout.config).write_bytes(text if isinstance(text, bytes) else text.encode())
    return load(layout, environ)


def test_defaults_are_those_of_the_specification(vault: Layout) -> None:
    config = load(vault, {})
    assert (config.llm.timeout, config.llm.max_tokens) == (60, 4096)
    assert config.bm25.default_top_k == 10
    assert (config.recency_decay.enabled, config.recency_decay.half_life_days) == (True, 30)
    assert config.index.watch_poll_interval == 60
    assert (config.pages.default_importance, config.pages.max_body_chars) == (0.5, 50_000)
    assert (config.pages.slug_algo, config.logging.level) == ("kebab", "INFO")
    assert config.governance.knowledge_approval == "manual"
    assert config.llm.provider == ""  # no model is called before one is named
    assert config.warnings == []


def test_without_a_file_no_parser_is_loaded(vault: Layout) -> None:
    code = (
        "import sys\n"
        "from memex_core.files.config import load\n"
        "from memex_core.files.layout import open_layout\n"
        "load(open_layout(sys.argv[1]), {})\n"
        "print('tomllib' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, vault.root], capture_output=True, text=True)
    assert done.stdout == "False\n"


def test_the_file_then_the_environment(store: Layout) -> None:
    text = '[llm]\nprovider = "ollama"\nmodel = "llama3.1"\napi_key = "k1"\n[logging]\nlevel = "debug"\n'
    config = configured(store, text, MEMEX_API_KEY="k2", MEMEX_LLM_MODEL="other", MEMEX_LOG_LEVEL="warning")
    assert (config.llm.provider, config.llm.model, config.llm.api_key) == ("ollama", "other", "k2")
    assert config.logging.level == "WARNING"
    assert [config.origin(f"llm.{key}") for key in ("provider", "model", "timeout")] == [
        "file",
        "env",
        "default",
    ]
    assert config.warnings == []


def test_every_setting_is_listed_with_its_origin_and_no_key_is_shown(store: Layout) -> None:
    config = configured(store, '[pages]\nslug_algo = "sha1"\n', MEMEX_API_KEY="sk-secret")
    rows = {row["key"]: (row["value"], row["origin"]) for row in config.described()}
    assert rows["pages.slug_algo"] == ("sha1", "file")
    assert rows["pages.max_body_chars"] == (50_000, "default")
    assert rows["llm.api_key"] == ("(set)", "env")
    assert rows["embed.api_key"] == ("", "default")
    assert {key.split(".")[0] for key in rows} == set(SECTIONS)
    assert "sk-secret" not in repr(rows)


def test_the_older_name_of_a_table(store: Layout) -> None:
    config = configured(
        store, '[pages]\nslug_algo = "sha1"\n[wiki]\nslug_algo = "kebab"\nmax_body_chars = 9\n'
    )
    assert (config.pages.slug_algo, config.pages.max_body_chars) == ("sha1", 9)
    assert config.warnings == []


@pytest.mark.parametrize(
    ("text", "key", "value", "complaint"),
    [
        ("[bm25]\ndefault_top_k = '5'", "bm25.default_top_k", 10, "must be a whole number"),
        ("[bm25]\ndefault_top_k = true", "bm25.default_top_k", 10, "must be a whole number"),
        ("[bm25]\ndefault_top_k = 0", "bm25.default_top_k", 10, "must lie between 1 and 100"),
        ("[embed]\nweight = nan", "embed.weight", 0.75, "must be a number"),
        ("[recall]\npriors = inf", "recall.priors", 0, "must lie between 0 and 1"),
        ("[pages]\nslug_algo = 'md5'", "pages.slug_algo", "kebab", "must be one of kebab, sha1"),
        ("[pages]\ndefault_importance = 7", "pages.default_importance", 0.5, "must lie between 0 and 1"),
        ("[recency_decay]\nenabled = 'yes'", "recency_decay.enabled", True, "must be true or false"),
        ("[llm]\nmodel = 3", "llm.model", "", "must be text"),
        ("[capture]\nagents = ['claude', 3]", "capture.agents", (), "must be a list of texts"),
        ("[capture]\nagents = 'claude'", "capture.agents", (), "must be a list of texts"),
    ],
)
def test_a_value_that_does_not_fit(store: Layout, text: str, key: str, value: object, complaint: str) -> None:
    config = configured(store, text)
    section, name = key.split(".")
    assert getattr(getattr(config, section), name) == value
    assert config.origin(key) == "default"
    (warning,) = config.warnings
    assert warning.startswith(f"{store.config}: [{section}] {name} {complaint}")


def test_good_values_beside_bad_ones_count(store: Layout) -> None:
    config = configured(store, "[embed]\nweight = 2\nbatch = 'x'\n[capture]\nagents = ['claude']\n")
    assert (config.embed.weight, type(config.embed.weight)) == (2.0, float)
    assert config.embed.batch == 64
    assert config.capture.agents == ("claude",)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ('[app]\nname = "memex"\n', []),  # as older stores have it
        ('[app]\nname = "mine"\n', ["[app] name"]),
        ("[bm25]\nk1 = 1.5\nb = 0.75\ndefault_top_k = 10\n", []),
        ("[bm25]\nk1 = 2\nb = 0.5\ndefault_top_k = 10\n", ["[bm25] k1", "[bm25] b"]),
        ("[index]\nauto_rebuild_on_startup = true\n", ["[index] auto_rebuild_on_startup"]),
    ],
)
def test_what_is_no_setting_any_more_is_told_once(store: Layout, text: str, keys: list[str]) -> None:
    config = configured(store, text)
    assert [line.split(" has no effect: ")[0] for line in config.warnings] == [
        f"{store.config}: {key}" for key in keys
    ]


def test_what_memex_does_not_know_is_kept_and_told(store: Layout) -> None:
    config = configured(store, 'top = 1\n[pages]\nnew_key = "x"\n[plugins]\na = 1\n')
    assert config.pages.unknown == {"new_key": "x"}
    assert sorted(config.warnings) == [
        f"{store.config}: [pages] new_key is not a setting of memex",
        f"{store.config}: [plugins] is not a table of memex",
        f"{store.config}: [top] is not a table of memex",
    ]


def test_a_table_that_is_none(store: Layout) -> None:
    config = configured(store, "llm = 3\n")
    assert config.warnings == [f"{store.config}: llm must be a table; defaults are used"]


def test_keys_are_free(store: Layout) -> None:
    config = configured(
        store, '[keys]\npreset = "vim"\n"page.save" = "ctrl+s"\n"search.go" = ["/", "ctrl+f"]\n'
    )
    assert config.keys.preset == "vim"
    assert config.keys.unknown == {"page.save": "ctrl+s", "search.go": ["/", "ctrl+f"]}
    assert config.warnings == []


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"[llm]\nmodel = \n", 2),
        (b"[llm\n", 1),
        (b"[llm]\n[llm]\n", 2),
        (b"[llm]\r\nmodel = 'a'\r\nmodel = 'b'\r\n", 3),
        (b'[llm]\n\nmodel = "open', 3),
        (b"[llm]\nmodel = 'caf\xe9'\n", 2),
    ],
)
def test_a_file_that_is_no_toml(store: Layout, data: bytes, line: int) -> None:
    with pytest.raises(Damaged) as caught:
        configured(store, data)
    assert caught.value.message.startswith(f"{store.config}, line {line}: ")


def test_marks_and_line_ends_of_windows(store: Layout) -> None:
    config = configured(store, b'\xef\xbb\xbf[llm]\r\nmodel = "m"\r\n')
    assert config.llm.model == "m"


def test_an_empty_file_is_no_file(store: Layout) -> None:
    assert configured(store, "\n\n# nothing\n").warnings == []


@pytest.mark.parametrize(("word", "auto"), [("1", True), ("true", True), ("off", False), ("0", False)])
def test_switches_in_the_environment(store: Layout, word: str, auto: bool) -> None:
    config = load(store, {"MEMEX_AUTO_CONSOLIDATE": word})
    assert config.consolidation.auto is auto
    assert config.origin("consolidation.auto") == "env"


def test_nonsense_in_the_environment_leaves_the_files_value(store: Layout) -> None:
    config = configured(store, '[logging]\nlevel = "ERROR"\n', MEMEX_LOG_LEVEL="loud", MEMEX_LLM_MODEL="")
    assert config.logging.level == "ERROR"
    assert config.warnings == [
        "environment: [logging] level must be one of DEBUG, INFO, WARNING, ERROR; the file value is used"
    ]


def test_where_the_data_lies() -> None:
    assert data_dir(b'[data_dir]\npath = "/x"\n') == "/x"
    assert data_dir(b"[data_dir]\n") == ""
    assert data_dir(b"[data_dir]\npath = 3\n") == ""
    assert data_dir(b"data_dir = 3\n") == ""
    assert data_dir(b"[data_dir\n") == ""
