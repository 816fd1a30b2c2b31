"""The papers' experiments, run again, with the published figures beside ours."""
