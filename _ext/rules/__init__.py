"""Structures, codes, map tables, adjudication, transition, legal orders, packed positions, batches."""
