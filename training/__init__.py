"""From recorded games to weights. PyTorch is needed here and nowhere else (``pip install .[train]``)."""
