"""Where people and agents meet a map: a page to look at, tools, an endpoint in front of a model."""
