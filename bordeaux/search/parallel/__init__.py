"""One search in several processes, which exchange results in shared memory (paper 002, section 3.3)."""
