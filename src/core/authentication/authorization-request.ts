import { hash } from 'node:crypto'

export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  scope: string
  state: string
  /** The secret of PKCE (RFC 7636). Only this server knows it until it exchanges the code. */
  verifier: string
  /** Parameters that only this provider knows. */
  more: Record<string, string>
}

/** Returns the URL at a provider for the browser: it begins the authorization code flow with PKCE. */
export function authorizationRequestUrl(
  endpoint: string,
  { clientId, redirectUri, scope, state, verifier, more }: AuthorizationRequest,
): string {
  const url = new URL(endpoint)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    ...more,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
