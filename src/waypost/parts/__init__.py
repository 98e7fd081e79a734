"""Parts chosen and put together: device names, map folders and sentences in, running verbs out.

Together with `cli` the only room that knows `adapters`. The Python face of the package is `face`.
"""
