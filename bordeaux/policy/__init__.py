"""Fast policies: orders for a power in microseconds, by rules or by what was learnt from people."""
