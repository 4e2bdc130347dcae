"""Verifies webhook signatures of the Number Porting Service."""

import hashlib
import hmac
import re
from collections.abc import Iterable

FIVE_MINUTES = 300


def refusal_of(
    header: str | None,
    body: bytes,
    secrets: Iterable[str],
    now_seconds: int,
    tolerance_seconds: int = FIVE_MINUTES,
) -> str | None:
    """None if one of the secrets signed exactly this body recently; otherwise why the request is refused.

    header: the value of Porting-Signature, `t=<seconds>,v1=<hex>`, with a second v1 while a secret is being rotated.
    body: the bytes as they arrived; parsing and writing the JSON again would change them.
    secrets: every secret that may have signed, complete with its `whsec_` prefix.
    """
    if not header:
        return "missing_header"
    parts = [part.strip() for part in header.split(",")]
    times = _values_of(parts, "t")
    given = _values_of(parts, "v1")
    if len(times) != 1 or not re.fullmatch(r"[0-9]{1,12}", times[0]) or not given:
        return "malformed_header"
    if abs(now_seconds - int(times[0])) > tolerance_seconds:
        return "timestamp_outside_tolerance"
    signed = times[0].encode() + b"." + body
    expected = [hmac.new(secret.encode(), signed, hashlib.sha256).digest() for secret in secrets]
    candidates = [bytes.fromhex(text) for text in given if re.fullmatch(r"[0-9a-f]{64}", text)]
    # Compares all of them in constant time, so that the timing does not reveal a near match.
    matches = [hmac.compare_digest(one, other) for one in expected for other in candidates]
    return None if True in matches else "no_matching_signature"


def _values_of(parts: list[str], name: str) -> list[str]:
    start = f"{name}="
    return [part.removeprefix(start) for part in parts if part.startswith(start)]
