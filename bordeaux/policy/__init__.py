"""Fast policies: orders for a power in microseconds, by rules or learnt from games."""
