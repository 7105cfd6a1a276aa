"""The search of paper 002: best-first over partial sets of orders, and a decision between the sets found."""
