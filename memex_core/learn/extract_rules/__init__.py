"""What never becomes a memory, by the user's own rules in ``rules/extract.toml``.

``check(texts, load(layout))`` says whether a machine may store them; ``prompt_clause`` puts topics, hints and
language into words for a model. Rules only ever leave things out. A file that does not load, a rule that was
set aside and a matcher that does not run hold everything back: nothing is stored on a guess.
"""

from memex_core.learn.extract_rules.checking import Checker, Text, Verdict, check
from memex_core.learn.extract_rules.clause import prompt_clause
from memex_core.learn.extract_rules.document import DOCUMENT
from memex_core.learn.extract_rules.rules import Rules, load

__all__ = ["DOCUMENT", "Checker", "Rules", "Text", "Verdict", "check", "load", "prompt_clause"]
