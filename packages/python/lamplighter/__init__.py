"""The Lamplighter payments API. It needs the standard library only."""

from .client import Client
from .errors import (
    ApiError,
    ConnectionError,
    DeclinedError,
    LamplighterError,
    RateLimitError,
    SignatureError,
)
from .webhook import WebhookMessage, verify_webhook

__all__ = [
    "ApiError",
    "Client",
    "ConnectionError",
    "DeclinedError",
    "LamplighterError",
    "RateLimitError",
    "SignatureError",
    "WebhookMessage",
    "verify_webhook",
]
