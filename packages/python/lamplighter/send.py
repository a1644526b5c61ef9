"""One request, sent again until it has an answer.

A repeat is safe: it is a GET, a PUT or a DELETE, or it has an idempotency key.
"""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Dict, Optional, Union

from .errors import Answer, ConnectionError, retry_after_of

TOO_MANY = 429

#: The service or a proxy before it cannot answer now.
AWAY = (502, 503, 504)

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0

#: A window of the rate limit is 60 seconds; a caller that must wait longer gets the error.
LONGEST_RETRY_AFTER_S = 65


@dataclass(frozen=True)
class Request:
    method: str
    url: str
    headers: Dict[str, str]
    data: Optional[bytes]
    #: False where a second request could do something twice.
    is_repeatable: bool


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API never redirects, and the key must not follow."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def send(request: Request, timeout: float, max_retries: int) -> Answer:
    """The last answer: what was asked for, or a refusal."""
    failures = 0
    while True:
        outcome = _attempt(request, timeout)
        if isinstance(outcome, Answer) and is_wanted(outcome):
            return outcome
        wait = _wait_of(outcome, failures, request) if failures < max_retries else None
        if wait is None:
            if isinstance(outcome, Answer):
                return outcome
            raise outcome from outcome.__cause__
        time.sleep(wait)
        failures += 1


def _attempt(request: Request, timeout: float) -> Union[Answer, ConnectionError]:
    outgoing = urllib.request.Request(
        request.url, data=request.data, headers=request.headers, method=request.method
    )
    try:
        try:
            response = _opener.open(outgoing, timeout=timeout)
        except urllib.error.HTTPError as refusal:
            response = refusal
        with response:
            return _read(response)
    except (OSError, http.client.HTTPException, ValueError) as cause:
        reason = getattr(cause, "reason", None) or cause
        failure = ConnectionError(f"No answer from {outgoing.host}: {reason or repr(reason)}")
        failure.__cause__ = cause
        return failure


def _read(response: Any) -> Answer:
    text = response.read().decode("utf-8")
    headers = {name.lower(): value for name, value in response.headers.items()}
    is_json = "application/json" in headers.get("content-type", "")
    return Answer(response.status, headers, json.loads(text) if is_json else text)


def is_wanted(answer: Answer) -> bool:
    """A page is an answer of something between the client and the service."""
    return answer.status < 300 and "text/html" not in answer.headers.get("content-type", "")


def _wait_of(
    outcome: Union[Answer, ConnectionError], failures: int, request: Request
) -> Optional[float]:
    """Seconds until the next attempt; None where another one is useless or not safe."""
    longest = min(FIRST_WAIT_S * 2**failures, LONGEST_WAIT_S)
    wait = longest * random.uniform(0.5, 1)
    if isinstance(outcome, ConnectionError):
        return wait if request.is_repeatable else None
    is_refused_unread = outcome.status == TOO_MANY
    if not is_refused_unread and not (request.is_repeatable and outcome.status in AWAY):
        return None
    retry_after = retry_after_of(outcome.headers) or 0
    return None if retry_after > LONGEST_RETRY_AFTER_S else max(wait, retry_after)
