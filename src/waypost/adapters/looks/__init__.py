"""Folders of looks in the neutral form: one JSON a look, pictures beside, and labels where there are some."""

from waypost.adapters.looks.reading import Looks, read_looks
from waypost.adapters.looks.writing import write_labels, write_look

__all__ = ["Looks", "read_looks", "write_labels", "write_look"]
