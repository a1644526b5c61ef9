"""Mistakes in a call are refused before anything is sent."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Iterable, Sequence


def refuse_unknown(said: str, names: Iterable[object], known: Sequence[str]) -> None:
    """`create_charge has no field preauth: did you mean pre_auth?`"""
    for name in names:
        if name not in known:
            nearest = get_close_matches(str(name), known, n=1)
            hint = f"did you mean {nearest[0]}?" if nearest else f"it has {', '.join(known)}"
            raise ValueError(f"{said} {name}: {hint}")
