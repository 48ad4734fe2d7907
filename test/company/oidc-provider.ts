import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'
import { afterAll } from 'vitest'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { CLIENT } from './stand-in.ts'

export interface Account {
  email: string
  email_verified: boolean
  name: string
  groups?: string[]
}

interface InFlow {
  oidc: { provider: Provider; client: { clientId: string }; session: { accountId: string } }
}

/**
 * The OpenID Connect provider of the package oidc-provider, with these accounts by their user names. Its sign-in page asks
 * for the user name, and can be left with "Cancel".
 */
export async function oidcProvider(accounts: Record<string, Account>, redirectUri: string): Promise<string> {
  const server = createServer(loopbackCertificate()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ ...CLIENT, redirect_uris: [redirectUri] }],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: false,
    cookies: { keys: ['for the tests'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/login/${uid}` },
    findAccount: (_: unknown, id: string) =>
      accounts[id] && { accountId: id, claims: async () => ({ sub: id, ...accounts[id] }) },
    async loadExistingGrant({ oidc: { provider, client, session } }: InFlow) {
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId })
      Object(grant).addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const serve = provider.callback()
  server.on('request', (request, response) =>
    request.url?.startsWith('/login/') ? signIn(provider, request, response) : serve(request, response),
  )
  return issuer
}

async function signIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><html lang="en"><title>Sign in</title>
<form method="post"><label>User <input id="user" name="user"></label><button id="go">Go</button></form>
<form method="post"><button id="cancel">Cancel</button></form>`)
    return
  }
  const user = new URLSearchParams(await text(request)).get('user')
  const result = user === null ? { error: 'access_denied' } : { login: { accountId: user, remember: false } }
  const next = await provider.interactionResult(request, response, result, { mergeWithLastSubmission: false })
  response.writeHead(303, { location: next }).end()
}
