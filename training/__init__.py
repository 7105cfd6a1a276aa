"""Training of weights from recorded games. Only this package needs PyTorch (``pip install .[train]``)."""
