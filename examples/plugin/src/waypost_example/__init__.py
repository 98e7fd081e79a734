"""One plug-in of each kind for Waypost; each file stands alone."""
