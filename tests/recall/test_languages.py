"""Queries in scripts with and without spaces, mixed with Latin identifiers, of one letter, of signs."""

from __future__ import annotations

import pytest

from tests.recall.conftest import Vault

PAGES = {
    "zh": ("用户身份验证与数据库设计", "我们决定用 PostgreSQL 存储用户数据。重跑gen-itgc后50条。"),
    "zh-hant": ("資料庫設計", "使用者的資料放在這裡。"),
    "ja": ("データベースの設計", "ユーザー認証はサーバーで行う。昨日カフェでパンを食べた。"),
    "ko": ("한국의 역사", "조선의 역사를 공부했다. 서버는 부산에 있습니다. api-key를 바꿨다."),
    "th": ("การออกแบบฐานข้อมูล", "ผู้ใช้ต้องยืนยันตัวตนก่อนเข้าระบบ กินข้าวที่ตลาด"),
    "ar": ("تصميم قاعدة البيانات", "يجب على المُستخدِم إثبات هويته. الخادم في القاهرة."),
    "he": ("מסד נתונים", "שָׁלוֹם לכל המשתמשים."),
    "ru": ("Проектирование базы данных", "Пользователь должен пройти проверку. Ёлка и йод."),
    "hi": ("डेटाबेस डिज़ाइन", "उपयोगकर्ता को पहचान सिद्ध करनी होगी।"),
    "el": ("Σχεδίαση βάσης", "Ο χρήστης πρέπει να αποδείξει την ταυτότητά του."),
    "vi": ("Thiết kế cơ sở dữ liệu", "Người dùng phải đăng nhập."),
    "tr": ("Veritabanı tasarımı", "İstanbul'daki sunucu ışıklı."),
    "de": ("Datenbankentwurf", "Die Größe der Schlüssel in München."),
    "signs": ("Signs", "Launch 🚀 then → done. Family 👨‍👩‍👧, flag 🇯🇵, C# and C++ at 100%. Letter x alone."),
}


@pytest.fixture
def pages(vault: Vault) -> Vault:
    for name, (title, body) in PAGES.items():
        vault.write(name, body, title=title)
    return vault


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("数据", "zh"), ("用户", "zh"), ("身份", "zh"), ("数据库", "zh"), ("身份验证", "zh"), ("证", "zh"),
        ("用户数据存储", "zh"), ("用户的身份如何验证", "zh"), ("itgc", "zh"), ("gen", "zh"), ("gen-itgc", "zh"),
        ("postgresql存储", "zh"), ("存储 PostgreSQL", "zh"), ("库", "zh"), ("50条", "zh"), ("数据模型？用户", "zh"),
        ("資料", "zh-hant"), ("資料庫", "zh-hant"), ("這", "zh-hant"),
        ("データベース", "ja"), ("ユーザー", "ja"), ("認証", "ja"), ("ﾃﾞｰﾀﾍﾞｰｽ", "ja"), ("パン", "ja"), ("カフェ", "ja"),
        ("食", "ja"), ("サーバー 認証", "ja"),
        ("역사", "ko"), ("한국", "ko"), ("서버", "ko"), ("부산", "ko"), ("사", "ko"), ("api-key", "ko"), ("한국 역사", "ko"),
        ("ฐานข้อมูล", "th"), ("ผู้ใช้", "th"), ("ข้าว", "th"), ("ตลาด", "th"), ("ยืนยันตัวตน", "th"),
        ("البيانات", "ar"), ("المستخدم", "ar"), ("المُستخدِم", "ar"), ("القاهرة", "ar"), ("قاعدة بيانات الخادم", "ar"),
        ("שלום", "he"), ("נתונים", "he"),
        ("базы данных", "ru"), ("пользователь", "ru"), ("ПРОВЕРКУ", "ru"), ("елка", "ru"), ("ёлка", "ru"), ("йод", "ru"),
        ("डेटाबेस", "hi"), ("उपयोगकर्ता", "hi"),
        ("χρήστης", "el"), ("ΤΑΥΤΌΤΗΤΆ", "el"), ("χρηστης", "el"),
        ("cơ sở", "vi"), ("Người", "vi"), ("nguoi dung", "vi"),
        ("istanbul", "tr"), ("İstanbul", "tr"), ("isikli", "tr"),
        ("größe", "de"), ("GRÖSSE", "de"), ("munchen", "de"), ("schlüssel", "de"),
        ("🚀", "signs"), ("→", "signs"), ("C#", "signs"), ("C++", "signs"), ("👨‍👩‍👧", "signs"), ("🇯🇵", "signs"), ("100%", "signs"),
        ("x", "signs"), ("🚀 →", "signs"),
    ],
)  # fmt: skip
def test_its_page_is_the_first(pages: Vault, query: str, page: str) -> None:
    assert pages.slugs(query)[:1] == [page]


@pytest.mark.parametrize(
    "query", ["数学", "역학", "カバン", "หมู", "كتاب", "книга", "🛸", "q", "这个", "zqxv"]
)
def test_what_no_page_has_finds_none(pages: Vault, query: str) -> None:
    assert pages.slugs(query) == []


def test_vowel_signs_that_make_another_word_are_kept(vault: Vault) -> None:
    vault.write("field", "ค่า", title="value")
    vault.write("trade", "ค้า", title="trade")
    vault.write("pan", "パン", title="bread")
    vault.write("ban", "バン", title="van")
    assert vault.slugs("ค่า") == ["field"]
    assert vault.slugs("パン") == ["pan"]
    assert vault.slugs("バン") == ["ban"]


def test_both_forms_of_a_letter_with_its_mark_are_one(vault: Vault) -> None:
    vault.write("composed", "caf\u00e9 \u304c", title="one")
    vault.write("apart", "cafe\u0301 \u304b\u3099", title="two")
    for query in ("caf\u00e9", "cafe\u0301", "cafe", "\u304c", "\u304b\u3099"):
        assert vault.found(query) == {"composed", "apart"}, query


def test_a_phrase_in_a_script_without_spaces_must_hold(pages: Vault) -> None:
    assert pages.slugs('"身份验证"') == ["zh"]
    assert pages.slugs('"验证身份"') == []


def test_found_words_are_marked_in_their_script(pages: Vault) -> None:
    assert "<mark>用户</mark>" in pages.hits("用户")[0]["snippet"]
    assert (
        "<mark>خادم</mark>" in pages.hits("الخادم")[0]["snippet"]
        or "<mark>الخادم</mark>" in pages.hits("الخادم")[0]["snippet"]
    )
