"""How long tests wait for what other processes and threads do."""

from __future__ import annotations

__all__ = ["PATIENCE"]

PATIENCE = 600.0
"""Seconds after which a test gives up waiting. No test asserts that something is quick: on a machine that has
ten times as much to do as it has cores, everything takes ten times as long."""
