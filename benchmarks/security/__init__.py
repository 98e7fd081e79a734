"""How well hazards and private data are told, on labelled sets of this project's own."""
