"""A player modelled on Albert: the sets of every power are improved in turn against those of all others."""
