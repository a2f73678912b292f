"""Exact search for prefixes of rules: branch and bound on bit-packed classes of rows."""

from decisionflow.learn.prefix_search.result import PrefixSearchResult
from decisionflow.learn.prefix_search.search import search_prefix
from decisionflow.learn.prefix_search.task import Paradigm

__all__ = ["Paradigm", "PrefixSearchResult", "search_prefix"]
