"""Tests of what lies on the table: maps, positions, and orders as text."""
