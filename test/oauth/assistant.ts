import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client'
import { auth as oldAuth } from '@modelcontextprotocol/sdk/client/auth.js'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import type { TestServer } from '../support/server.ts'
import { serverWithAllInterfaces } from '../support/server.ts'
import { accountWith, type Browser, browser, newEmail, PASSWORD, pkce } from './browser.ts'
import { origin } from './support.ts'

export const ENDPOINT = `${origin}/mcp`
/** Where a program on the person's own machine waits for them. */
export const CALLBACK = 'http://127.0.0.1:33418/callback'

/** A business that said nothing of assistants, by the true time, as its authorization server has it. */
export async function assistantServer(more: Partial<BusinessDefinition> = {}, env: NodeJS.ProcessEnv = {}) {
  const server = await serverWithAllInterfaces(businessWith([service('svc_a')], more), { env })
  server.time.now = new Date()
  return server
}

/** Calls the server as `fetch` does, without a port. */
export const fetchFrom =
  (server: TestServer) =>
  async (address: string | URL, { method = 'GET', headers, body }: RequestInit = {}): Promise<Response> => {
    const url = new URL(address)
    if (url.origin !== origin) throw new Error(`${url} is not of this server`)
    const answer = await server.inject({
      method: method as 'GET' | 'POST',
      url: url.pathname + url.search,
      headers: Object.fromEntries(new Headers(headers)),
      ...(body !== undefined && body !== null && { payload: String(body) }),
    })
    return new Response(answer.body, { status: answer.statusCode, headers: answer.headers as Record<string, string> })
  }

/** The authorization of the two generations of the SDK. */
export const clients = { newer: auth, older: oldAuth } as const
export type Generation = keyof typeof clients

/** What an assistant remembers, as a program on somebody's machine would. */
export function memory({ redirectUrl = CALLBACK, name = 'Claude Desktop', document = '' } = {}) {
  // biome-ignore lint/suspicious/noExplicitAny: what the SDK hands over to be kept, and asks for again
  const kept: Record<string, any> = {}
  const keep = (name: string) => (value: unknown) => void Object.assign(kept, { [name]: value })
  const provider: OAuthClientProvider = {
    redirectUrl,
    ...(document && { clientMetadataUrl: document }),
    clientMetadata: { client_name: name, redirect_uris: [redirectUrl] },
    state: () => 'a state',
    clientInformation: () => kept.client,
    saveClientInformation: keep('client'),
    tokens: () => kept.tokens,
    saveTokens: keep('tokens'),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: keep('verifier'),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: keep('discovery'),
    redirectToAuthorization: keep('sentTo'),
    invalidateCredentials: (what) => void delete kept[what],
  }
  return { kept, provider }
}

/** A person whom an assistant sent to this address signs in there, allows it, and is sent back. */
export async function allow(
  person: Browser,
  address: string,
  { email = newEmail(), granted = ['usp:booking'] } = {},
): Promise<URL> {
  const signIn = await person.open(address)
  await accountWith(person.server, email)
  const consent = await person.send(signIn.at, { do: 'sign_in', email, password: PASSWORD })
  const answer = new URLSearchParams([['do', 'allow'], ...granted.map((scope) => ['scope', scope])])
  const { headers } = await person.send(consent.at, answer)
  return new URL(headers.location ?? 'about:blank')
}

/** The whole way, from nothing but the address of the endpoint: what the assistant has at its end. */
export async function signedIn(
  server: TestServer,
  { by = 'newer' as Generation, email = newEmail(), remembers = memory() } = {},
) {
  const { kept, provider } = remembers
  const step = (more = {}) =>
    clients[by](provider, { serverUrl: ENDPOINT, fetchFn: fetchFrom(server) as typeof fetch, ...more })
  await step()
  const back = await allow(browser(server), String(kept.sentTo), { email })
  await step({ authorizationCode: back.searchParams.get('code'), iss: back.searchParams.get('iss') })
  return { kept, provider, back, email, again: step, access: String(kept.tokens.access_token) }
}

/** Registers; gives the answer. */
export const register = (server: TestServer, metadata: object | string, headers = {}) =>
  server.raw({
    method: 'POST',
    url: '/oauth/register',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  })

/** Where an assistant sends somebody. */
export const askUrl = (clientId: string, challenge: string, more: Record<string, string> = {}) =>
  `${origin}/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: CALLBACK,
    scope: 'usp:booking',
    state: 'state',
    resource: ENDPOINT,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...more,
  })}`

export const exchangeAt = (server: TestServer, form: Record<string, string>, headers = {}) =>
  server.raw({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({
      grant_type: 'authorization_code',
      redirect_uri: CALLBACK,
      resource: ENDPOINT,
      ...form,
    }).toString(),
  })

/** One that registered, and a code that somebody let it have. */
export async function freshCode(
  server: TestServer,
  metadata: object = { redirect_uris: [CALLBACK] },
  asked: Record<string, string> = {},
) {
  const { body } = await register(server, metadata)
  const client_id = String(body.client_id)
  const { verifier: code_verifier, challenge } = pkce()
  const back = await allow(browser(server), askUrl(client_id, challenge, asked))
  return { client_id, code: back.searchParams.get('code') ?? '', code_verifier }
}
