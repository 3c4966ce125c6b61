"""Days, months and years that a text names, as evidence of what it is about: some of it may be left open.

English. Which stretch of days is meant, and nothing but it, is :mod:`memex_core.model.dates.parse`.
"""

_MONTH_NAMES = """
    january jan; february feb; march mar; april apr; may; june jun; july jul; august aug;
    september sept sep; october oct; november nov; december dec
"""
MONTHS = {name: number for number, names in enumerate(_MONTH_NAMES.split(";"), 1) for name in names.split()}
"""Name or abbreviation -> 1 to 12."""
_ALSO_VERBS = frozenset(("may", "march"))
_PREPOSITIONS = "in of during on since until till by before after early late mid last this next from around"
_BEFORE_MONTH = frozenset(_PREPOSITIONS.split())
_PUNCTUATION = ".,;:!?()[]\"'“”‘’"
_TO_HYPHEN = str.maketrans("/", "-")

NamedDate = tuple[int | None, int | None, int | None]
"""(year, month, day), None where the text does not say."""


def named_dates(question: str) -> list[NamedDate]:
    """The dates a question names, in order: ``on 7 May``, ``May 2023``, ``in 2022``, ``2023-05-07``.

    ``may`` and ``march`` count only where they must be months: after ``in``, ``of``, ``during`` … or
    beside a day or a year.
    """
    words = [word.strip(_PUNCTUATION) for word in question.split()]
    found: list[NamedDate] = []
    i = 0
    while i < len(words):
        lower = words[i].lower()
        if lower in MONTHS:
            when, i = _around_month(words, i, found)
            if when:
                found.append(when)
            continue
        numeric = _numeric_date(words[i])
        if numeric:
            found.append(numeric)
        i += 1
    return list(dict.fromkeys(found))


def _around_month(words: list[str], i: int, found: list[NamedDate]) -> tuple[NamedDate | None, int]:
    """The date whose month stands at ``i``, and where to go on reading."""
    name = words[i].lower()
    before = words[i - 1].lower() if i else ""
    day = _day(before)
    if day is None and before == "of" and i > 1:
        day = _day(words[i - 2].lower())
    after = i + 1
    if day is None and after < len(words) and (day := _day(words[after].lower())) is not None:
        after += 1
    year = _year(words[after]) if after < len(words) else None
    if year is not None:
        after += 1
    elif before and _year(before) is not None and found and found[-1] == (_year(before), None, None):
        year = _year(before)
        found.pop()
    if name in _ALSO_VERBS and day is None and year is None and before not in _BEFORE_MONTH:
        return None, i + 1
    return (year, MONTHS[name], day), after


def _day(word: str) -> int | None:
    digits = word[:-2] if word[-2:] in ("st", "nd", "rd", "th") else word
    if digits.isascii() and digits.isdigit() and len(digits) <= 2 and 1 <= int(digits) <= 31:
        return int(digits)
    return None


def _year(word: str) -> int | None:
    if len(word) == 4 and word.isascii() and word.isdigit() and word[:2] in ("19", "20"):
        return int(word)
    return None


def _numeric_date(word: str) -> NamedDate | None:
    parts = word.translate(_TO_HYPHEN).split("-")
    year = _year(parts[0])
    if year is None or len(parts) > 3 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    month = int(parts[1]) if len(parts) > 1 and len(parts[1]) <= 2 else None
    day = int(parts[2]) if len(parts) > 2 and len(parts[2]) <= 2 else None
    if (len(parts) > 1 and not 1 <= (month or 0) <= 12) or (len(parts) > 2 and not 1 <= (day or 0) <= 31):
        return None
    return year, month, day
