"""The search for orders, in two forms: `learnt` is the default, `paper` that of Hall and Loeb."""
