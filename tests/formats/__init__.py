"""Tests of the forms of positions, games and orders of many powers."""
