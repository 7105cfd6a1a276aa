"""Order sets and their successors, replies, rollouts, contests of candidates, equilibria."""
