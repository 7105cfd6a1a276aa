"""Tests of bordeaux.env."""
