"""The recall gate: whether a prompt is worth looking anything up for, decided by words alone.

``decide(prompt, load(layout))`` answers ``retrieve``, ``skip`` or ``ambiguous``; on the last the caller
runs the free word search and keeps what is relevant enough. Rules have stable ids and come with memex in
English, Chinese and Korean; ``rules/gate.toml`` adds to them and switches them off.
"""

from memex_core.recall.gate.decision import REASONS, Decision, Fired, decide
from memex_core.recall.gate.rules import Rules, load
from memex_core.recall.gate.state import NEUTRAL, State, after

__all__ = ["NEUTRAL", "REASONS", "Decision", "Fired", "Rules", "State", "after", "decide", "load"]
