"""Mistakes in a call are refused before anything is sent."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any, Iterable, Mapping, Sequence

#: The characters that a header takes as they are.
_VISIBLE = re.compile(r"[\x21-\x7e]+")


def key_in(given: Any) -> str:
    """The key without the line end of its file.

    The error of http.client would quote a wrong one whole, and say that there was no answer.
    """
    key = given.strip() if isinstance(given, str) else ""
    if not _VISIBLE.fullmatch(key):
        raise ValueError("Client needs a key, such as sk_sandbox_…")
    return key


def refuse_lost(operation: str, body: Mapping[str, Any]) -> None:
    """A refund of no amount is a whole one, so a value that was lost must not be sent."""
    for name, value in body.items():
        if value is None:
            says = f"{operation} got no value for {name}: leave it out, or give a value"
            raise ValueError(says)


def refuse_unknown(said: str, names: Iterable[object], known: Sequence[str]) -> None:
    """`create_charge has no field preauth: did you mean pre_auth?`"""
    for name in names:
        if name not in known:
            nearest = get_close_matches(str(name), known, n=1)
            hint = f"did you mean {nearest[0]}?" if nearest else f"it has {', '.join(known)}"
            raise ValueError(f"{said} {name}: {hint}")
