"""
Signs a person in. The client stores the tokens in memory, and waits on a local port for the browser of the person to return. A
real client opens the address in the browser, and stores the tokens for the next start.
"""

from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl, urlsplit

import anyio
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken


class Memory:
    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Arrival(BaseHTTPRequestHandler):
    """Handles the request of the browser that returns from the sign-in page."""

    def do_GET(self) -> None:
        self.server.answer = dict(parse_qsl(urlsplit(self.path).query))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"Done. Go back to your assistant.")

    def log_message(self, *_) -> None:
        pass


def sign_in(address: str) -> OAuthClientProvider:
    waiting = HTTPServer(("127.0.0.1", 0), Arrival)

    async def send(url: str) -> None:
        print("Sign in at", url, flush=True)

    async def come_back() -> AuthorizationCodeResult:
        await anyio.to_thread.run_sync(waiting.handle_request)
        waiting.server_close()
        return AuthorizationCodeResult(**waiting.answer)

    redirect_uri = f"http://127.0.0.1:{waiting.server_port}/callback"
    metadata = OAuthClientMetadata(client_name="Example assistant", redirect_uris=[redirect_uri])
    return OAuthClientProvider(address, metadata, Memory(), send, come_back)
