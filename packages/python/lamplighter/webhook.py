"""Webhooks by the Standard Webhooks specification."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

from .errors import SignatureError

#: While a secret is rolled there are two; more are not worth the work.
MOST_SIGNATURES = 10


@dataclass(frozen=True)
class WebhookMessage:
    """A verified event; `name` says what `data` is."""

    #: The same at every attempt and in every replay: process each id once.
    id: str
    name: str
    #: Within one resource the highest is the latest.
    sequence: int
    created_at: str
    #: The resource as it was at that moment.
    data: Any


def verify_webhook(
    body: Union[bytes, str],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance: float = 300,
    now: Optional[float] = None,
) -> WebhookMessage:
    """Returns the event of a webhook, or raises a SignatureError.

    `body` is as it was received; `secrets` is one `whsec_…` or several; `tolerance` is in seconds.
    """
    if not isinstance(body, (str, bytes, bytearray, memoryview)):
        raise ValueError("verify_webhook needs the raw body as it arrived, bytes or a string")
    keys = [secrets] if isinstance(secrets, str) else list(secrets or [])
    if not keys or not all(isinstance(one, str) for one in keys):
        raise ValueError("verify_webhook needs the secret of the endpoint, whsec_…, or several")
    lower = {name.lower(): value for name, value in headers.items()}
    id, timestamp = _header(lower, "webhook-id"), _header(lower, "webhook-timestamp")
    at = time.time() if now is None else now
    if not timestamp.isdecimal() or abs(at - float(timestamp)) > tolerance:
        raise SignatureError("The timestamp is too far from now.")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{id}.{timestamp}.".encode() + raw
    signatures = _header(lower, "webhook-signature").split(" ")[:MOST_SIGNATURES]
    for secret in keys:
        digest = hmac.new(_key(secret), signed, hashlib.sha256).digest()
        right = b"v1," + base64.b64encode(digest)
        # The comparison takes the same time whatever differs.
        if any(hmac.compare_digest(right, one.encode()) for one in signatures):
            return WebhookMessage(
                id=id,
                name=_header(lower, "event-name"),
                sequence=int(_header(lower, "event-sequence")),
                created_at=_header(lower, "event-created-at"),
                data=json.loads(raw),
            )
    raise SignatureError("The signature is not of this body under this secret.")


def _header(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise SignatureError(f"{name} is missing.")
    return value


def _key(secret: str) -> bytes:
    text = secret[len("whsec_") :] if secret.startswith("whsec_") else secret
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("A secret looks like whsec_… and is base64.")
    return key
