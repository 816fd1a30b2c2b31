"""The cover solver against plain HiGHS."""
