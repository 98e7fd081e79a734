"""iPhones by way of WebDriverAgent: the address of its HTTP door in, a `Device` out."""

from waypost.adapters.ios.device import IosDevice

__all__ = ["IosDevice"]
