"""A project is the same however its remote is spelt, and nothing of the remote can be read in its id."""

from __future__ import annotations

import pytest

from memex_core.model.identity import last_part, name_of, normal_origin, project_id, same_project

SHOP = "github.com/ann/shop"


@pytest.mark.parametrize(
    ("remote", "normal"),
    [
        ("https://github.com/ann/shop.git", SHOP),
        ("https://github.com/Ann/Shop", SHOP),
        ("https://ann:s3cret@github.com/ann/shop.git/", SHOP),
        ("https://x-token:ghp_abc@github.com:443//ann/shop", SHOP),
        ("git@github.com:ann/shop.git", SHOP),
        ("github.com:ann/shop", SHOP),
        ("git@github.com:/ann/shop", SHOP),
        ("ssh://git@github.com:22/ann/shop.git", SHOP),
        ("git+ssh://git@GitHub.com/ann/shop.git", SHOP),
        ("git://github.com/ann/shop.git", SHOP),
        ("  https://github.com/ann/shop.git?x=1#y\n", SHOP),
        ("https://git.example.org/Ann/Shop.git", "git.example.org/Ann/Shop"),
        ("https://gitlab.com/a/b/c/shop", "gitlab.com/a/b/c/shop"),
        ("ssh://[::1]:22/shop.git", "[::1]/shop"),
        ("file:///srv/git/shop.git", "/srv/git/shop"),
        ("/srv/git/shop.git/", "/srv/git/shop"),
        ("../shop", "../shop"),
        (r"C:\git\shop", "C:/git/shop"),
        ("", ""),
        ("https://", ""),
    ],
)
def test_one_origin(remote: str, normal: str) -> None:
    assert normal_origin(remote) == normal


def test_the_id_tells_the_name_and_no_more() -> None:
    made = project_id("Shop", SHOP)
    assert made == project_id("shop", SHOP) != project_id("shop", "github.com/ben/shop")
    assert name_of(made) == "shop"
    assert len(made) == len("shop-12345678")
    assert "ann" not in made
    assert len(project_id("x" * 200, SHOP)) <= 64


@pytest.mark.parametrize("name", ["", "/", "unknown", "--", "Unknown"])
def test_what_has_no_name_is_no_project(name: str) -> None:
    assert project_id(name, SHOP) == ""


def test_names() -> None:
    assert name_of("plain") == "plain"
    assert name_of("shop-nothex12") == "shop-nothex12"
    assert last_part("github.com/ann/shop") == "shop"
    assert last_part("/srv/") == "srv"


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("bakery", "bakery"),
        ("Bakery", "/home/ann/bakery"),
        ("bakery", "/home/ann/bakery/"),
        ("bakery", r"C:\\work\\Bakery"),
        ("bakery", "bakery-0123abcd"),
        ("bakery-0123abcd", "bakery"),
        ("bakery-0123abcd", "/home/ann/bakery"),
        ("my-shop-0123abcd", "/home/ann/My Shop"),
        ("/home/ann/bakery", "/home/ann/bakery/ovens"),
        ("/home/ann/bakery/", "/home/ann/bakery"),
    ],
)
def test_one_project(named: str, said: str) -> None:
    assert same_project(named, said)


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ("bakery", ""),
        ("", "bakery"),
        ("", ""),
        ("bakery", "/home/ann/bakery/ovens"),  # nobody knows which folder is the project's
        ("bakery", "/home/ann/old-bakery"),
        ("bakery-0123abcd", "bakery-4567cdef"),
        ("/home/ann/bakery", "/home/ann/bakery-2"),
        ("/home/ann/bakery", "/home/ben/bakery"),
        ("my shop", "my-shop"),
    ],
)
def test_two_projects(named: str, said: str) -> None:
    assert not same_project(named, said)


def test_what_is_below_a_projects_own_folder_is_the_projects() -> None:
    root = "/home/ann/work/shop"
    assert same_project("bakery-0123abcd", "/home/ann/work/shop/web", root=root)
    assert same_project("bakery-0123abcd", root, root=root)
    assert not same_project("bakery-0123abcd", "/home/ann/work/shop2", root=root)
