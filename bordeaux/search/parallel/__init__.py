"""One search in several processes, which meet in shared memory (paper 002, section 3.3)."""
