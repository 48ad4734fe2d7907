"""
Signs or verifies one message with http-message-signatures. It reads the message as JSON from the standard input, and
prints the result as JSON.
"""

import json
import sys
from types import SimpleNamespace

from http_message_signatures import (
    HTTPMessageSigner,
    HTTPMessageVerifier,
    HTTPSignatureKeyResolver,
    InvalidSignature,
    algorithms,
)

message = json.load(sys.stdin)
body = message["body"].encode()


class Key(HTTPSignatureKeyResolver):
    def resolve_private_key(self, key_id: str) -> bytes:
        return message["pem"].encode()

    def resolve_public_key(self, key_id: str) -> bytes:
        if key_id != message["keyid"]:
            raise InvalidSignature(f"unknown key {key_id}")
        return message["pem"].encode()


options = {"signature_algorithm": algorithms.ECDSA_P256_SHA256, "key_resolver": Key()}
http = SimpleNamespace(url=message.get("url", ""), headers=dict(message["headers"]))
if "status" in message:
    http.status_code = message["status"]
else:
    http.method = message["method"]


def signed() -> dict:
    signer = HTTPMessageSigner(**options)
    parts = message["components"]
    signer.sign(http, key_id=message["keyid"], covered_component_ids=parts, body=body, use_existing_digest=True)
    return {name: http.headers[name] for name in ("Signature", "Signature-Input")}


def is_verified() -> bool:
    try:
        verifier = HTTPMessageVerifier(**options)
        return len(verifier.verify(http, require_components=["content-digest"], body=body)) == 1
    except InvalidSignature:
        return False


print(json.dumps(signed() if message["task"] == "sign" else {"verified": is_verified()}))
