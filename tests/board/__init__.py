"""Tests of what lies on the table: orders as text, and the forms of positions and games."""
