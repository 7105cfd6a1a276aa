"""The default search: a best response to sampled orders of the others, in stages."""

from bordeaux.search.response.response import ResponseSearch

__all__ = ["ResponseSearch"]
