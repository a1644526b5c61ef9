"""The classes tell the errors apart; `code` of an ApiError is stable, its message is not."""

from __future__ import annotations

import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional


class LamplighterError(Exception):
    """Every error of this package, except for mistakes in the call itself (ValueError)."""


class ConnectionError(LamplighterError):  # noqa: A001 - as its twin in TypeScript
    """No whole answer arrived, after all attempts; `__cause__` is the last failure."""


class SignatureError(LamplighterError):
    """A webhook whose signature or timestamp is wrong."""


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    #: Parsed JSON, or text where the answer is not JSON.
    body: Any


class ApiError(LamplighterError):
    """The API refused the request."""

    def __init__(self, answer: Answer, code: str, message: str) -> None:
        super().__init__(message)
        self.status = answer.status
        #: From the catalogue of errors; `unexpected_answer` where the answer is not the API's.
        self.code = code
        self.body = answer.body
        self.request_id: Optional[str] = answer.headers.get("x-request-id")
        #: The faults of each field.
        self.errors: Dict[str, List[str]] = _field(answer.body, "errors") or {}


class RateLimitError(ApiError):
    """More requests than the key may send, still after all attempts."""

    def __init__(self, answer: Answer, message: str, retry_after: float) -> None:
        super().__init__(answer, "rate_limited", message)
        #: Seconds.
        self.retry_after = retry_after


class DeclinedError(ApiError):
    """The gateway declined the payment, or its void, refund or capture."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer, "declined", _reason(answer.body))
        #: The FAILED transaction; of a void, refund or capture the parent with its FAILED child.
        self.transaction = answer.body


def error_of(answer: Answer) -> ApiError:
    code = _field(answer.body, "error")
    if not isinstance(code, str):
        is_transaction = _field(answer.body, "id") and _field(answer.body, "total") is not None
        if answer.status == 400 and is_transaction:
            return DeclinedError(answer)
        content = answer.headers.get("content-type", "nothing")
        message = f"The server answered {answer.status} with {content}."
        return ApiError(answer, "unexpected_answer", message)
    message = str(_field(answer.body, "message") or code)
    if code == "rate_limited":
        return RateLimitError(answer, message, retry_after_of(answer.headers) or 0)
    return ApiError(answer, code, message)


def retry_after_of(headers: Mapping[str, str]) -> Optional[float]:
    """Seconds, from a number or a date."""
    text = headers.get("retry-after", "")
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _reason(transaction: Dict[str, Any]) -> str:
    children = [*transaction["child_captures"], *transaction["child_transactions"]]
    messages = [child["message"] for child in children if child["status"] == "FAILED"]
    last = messages[-1] if messages else None
    return last or transaction["message"] or "The payment was declined."


def _field(body: Any, name: str) -> Any:
    return body.get(name) if isinstance(body, dict) else None
