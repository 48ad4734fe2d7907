use std::error::Error;

use rmcp::transport::{
    AuthClient,
    auth::{AuthorizationRequest, OAuthState},
};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpListener,
};

/// Waits on a local port for the browser of the person to return from the sign-in page. Returns a client that acts for the
/// person. A real client opens the address in the browser, and stores the tokens for the next start.
pub async fn sign_in(address: &str) -> Result<AuthClient<reqwest::Client>, Box<dyn Error>> {
    let waiting = TcpListener::bind("127.0.0.1:0").await?;
    let origin = format!("http://{}", waiting.local_addr()?);
    let request = AuthorizationRequest::new(format!("{origin}/callback")).with_client_name("Example assistant");
    let mut state = OAuthState::new(address, None).await?;
    state.start_authorization(request).await?;
    println!("Sign in at {}", state.get_authorization_url().await?);

    let (mut browser, _) = waiting.accept().await?;
    let mut line = String::new();
    BufReader::new(&mut browser).read_line(&mut line).await?;
    browser.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nDone. Go back to your assistant.").await?;
    browser.shutdown().await?;
    let came_to = line.split(' ').nth(1).unwrap_or_default();
    state.handle_callback_url(&format!("{origin}{came_to}")).await?;

    let manager = state.into_authorization_manager().ok_or("The sign-in did not complete.")?;
    Ok(AuthClient::new(reqwest::Client::new(), manager))
}
