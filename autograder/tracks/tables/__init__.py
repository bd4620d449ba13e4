"""One module a track, called like it in lower case; ``ROWS`` is its table."""
