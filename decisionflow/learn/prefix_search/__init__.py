"""Exact search for prefixes of rules: branch and bound on bit-packed classes of rows."""

from decisionflow.learn.prefix_search.result import PrefixSearchResult
from decisionflow.learn.prefix_search.search import Paradigm, compile_kernels, search_prefix

__all__ = ["Paradigm", "PrefixSearchResult", "compile_kernels", "search_prefix"]
