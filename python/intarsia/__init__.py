"""intarsia: many clusterings in, one better clustering out."""

from intarsia._version import __version__

__all__ = ["__version__"]
