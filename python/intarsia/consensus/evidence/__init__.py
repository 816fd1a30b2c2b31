"""Consensus by evidence accumulation: dendrograms on the co-association."""
