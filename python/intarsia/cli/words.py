"""Numbers with their nouns, as people write them."""


def counted(number: int, noun: str) -> str:
    """Return "1 thread", "2 threads", "10,000 points"."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
