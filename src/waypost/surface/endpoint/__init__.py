"""A map in front of a model: an agent's requests in, the same requests with the way in their prompt out."""

from waypost.surface.endpoint.proxy import Endpoint, EndpointConfig, serve_endpoint
from waypost.surface.endpoint.tasks import MapTasks, Told

__all__ = ["Endpoint", "EndpointConfig", "MapTasks", "Told", "serve_endpoint"]
