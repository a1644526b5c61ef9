"""One way to call every operation; the methods of the operations are in operations.py."""

from __future__ import annotations

import datetime
import decimal
import json
import re
import uuid
import warnings
from typing import Any, Dict, Iterator, List, Mapping, Optional, Set, Tuple
from urllib.parse import urlencode

from .errors import error_of
from .mistakes import key_in, refuse_lost, refuse_unknown
from .operations import OPERATIONS, Operations
from .send import Request, is_wanted, send

MOST_PER_PAGE = 200

_LISTS = [name for name, row in OPERATIONS.items() if row.endswith(" query")]

#: Zeros after the cents say nothing.
_ZEROS = re.compile(r"(\.\d\d)0+$")

#: Without an amount they move all of it.
_MOVES_MONEY = re.compile(r"/(void|refund|void-or-refund|capture|pay)$")

#: Nothing in it can change the path.
_ID = re.compile(r"[\w-]+", re.ASCII)


class Client(Operations):
    """A method for each operation of the API.

    `key` is a secret key, `sk_sandbox_…` or `sk_live_…`; `url` is the address of the service.
    `timeout` is in seconds, for each wait of an attempt; a charge waits up to 10 for its gateway.
    """

    def __init__(
        self, *, key: str, url: str, timeout: float = 30, max_retries: int = 3
    ) -> None:
        if not isinstance(url, str) or not url.startswith(("https://", "http://")):
            raise ValueError("url must be an http or https address")
        self._key = key_in(key)
        self._url = url.rstrip("/")
        self._timeout = timeout
        self._max_retries = max_retries

    def _each(self, name: str, args: Tuple[Any, ...]) -> Iterator[Any]:
        ids, query = _list_of("each", name, args)
        return self._rows(name, ids, query)

    def _rows(self, name: str, ids: Tuple[Any, ...], query: Dict[str, Any]) -> Iterator[Any]:
        page = first = int(query.pop("page", 1))
        limit = query.pop("per_page", MOST_PER_PAGE)
        # A row that was added meanwhile moves the others on by one: they come again.
        seen: Set[Any] = set()
        total, goes_on = 0, True
        while True:
            answer = getattr(self, name)(*ids, {"limit": limit, **query, "page": page})
            removed = total - answer["total"]
            total = answer["total"]
            if removed > 0 and not goes_on:
                # Rows that are gone, perhaps by the caller's hand, have moved others back to
                # pages before.
                page = max(first, page - -(-removed // answer["per_page"]))
                goes_on = True
                continue
            before = len(seen)
            for one in answer["data"]:
                if one.get("id") in seen:
                    continue
                if "id" in one:
                    seen.add(one["id"])
                yield one
            if page >= answer["last_page"]:
                return
            page += 1
            # Where rows come and go, a page is read again only as long as that finds some.
            goes_on = len(seen) == before

    def _csv(self, name: str, args: Tuple[Any, ...]) -> str:
        ids, query = _list_of("csv", name, args)
        answer: str = getattr(self, name)(*ids, {**query, "export": "csv"})
        return answer

    def _call(
        self,
        name: str,
        id: Optional[str],
        given: Any,
        timeout: Optional[float],
        idempotency_key: Optional[str] = None,
        respond_async: bool = False,
    ) -> Any:
        method, path, takes, *fields = OPERATIONS[name].split(" ")
        given = _dict_of(name, "query" if takes == "query" else "body", given)
        if takes != "query":
            refuse_unknown(f"{name} has no field", given, fields)
        if _MOVES_MONEY.search(path):
            refuse_lost(name, given)
        headers = {
            "Accept": "application/json",
            "Authorization": f"Bearer {self._key}",
            "Content-Type": "application/json",
            "User-Agent": "lamplighter-python/0.2.0",
        }
        is_keyed = takes == "keyed"
        if is_keyed and not given.get("idempotency_id"):
            own = str(uuid.uuid4())
            headers["Idempotency-Key"] = own if idempotency_key is None else idempotency_key
        if respond_async:
            headers["Prefer"] = "respond-async"
        url = self._url + _filled(path, id)
        if takes == "query" and given:
            url += "?" + urlencode(_parameters(name, given))
        has_body = is_keyed or takes == "body"
        data = json.dumps(given, default=_plain, allow_nan=False).encode() if has_body else None
        is_repeatable = method != "POST" or is_keyed
        request = Request(method, url, headers, data, is_repeatable)
        answer = send(request, timeout or self._timeout, self._max_retries)
        ignored = answer.headers.get("ignored-fields")
        if ignored:
            warnings.warn(f"Lamplighter ignored {ignored} in {name}", stacklevel=3)
        if not is_wanted(answer):
            raise error_of(answer)
        return answer.body


def _filled(path: str, id: Optional[str]) -> str:
    if "{" not in path:
        return path
    if not isinstance(id, str) or not _ID.fullmatch(id):
        raise ValueError(f"{path} needs an id, not {id!r}")
    return path.replace("{id}", id)


def _dict_of(operation: str, what: str, given: Any) -> Dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ValueError(f"{operation} needs a dict as its {what}")
    return dict(given)


def _list_of(
    method: str, name: str, args: Tuple[Any, ...]
) -> Tuple[Tuple[Any, ...], Dict[str, Any]]:
    """The id, if the path has one, and the query."""
    refuse_unknown(f"{method} has no list", [name], _LISTS)
    at = OPERATIONS[name].count("{id}")
    query = _dict_of(name, "query", args[at] if len(args) > at else None)
    _parameters(name, query)
    return args[:at], query


def _parameters(operation: str, query: Mapping[str, Any]) -> List[Tuple[str, str]]:
    """A filter that sends nothing would select everything, so it is refused."""
    parameters = []
    for name, value in query.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        if not values or None in values or "" in values:
            says = f"{operation} got no value for {name}: leave it out, or give a value"
            raise ValueError(says)
        parameters += [(name, str(_plain(one))) for one in values]
    return parameters


def _plain(value: Any) -> Any:
    """A Decimal keeps its cents as text; a flag and an instant are as in JSON."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return _ZEROS.sub(r"\1", f"{value:f}")
    if isinstance(value, (uuid.UUID, str, int, float)):
        return str(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
