"""The version, read from the installed package's metadata."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("intarsia")
except PackageNotFoundError:  # running from a source tree that was never installed
    __version__ = "0+unknown"
