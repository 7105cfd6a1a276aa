"""The analysis page in a real Chromium, served by `bordeaux analyse` as people start it."""
