"""The search for orders: learnt policies propose candidates, and simulations compare them."""
