import { hash } from 'node:crypto'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Platform, restProof, type TestKey, testPlatform, toolProof } from '../support/platform.ts'
import { type Answer, type TestServer, testServer } from '../support/server.ts'

export const origin = 'http://127.0.0.1:8080'
export const TOKEN_ENDPOINT = `${origin}/oauth/token`

export type Settings = NonNullable<BusinessDefinition['authorization']>

export const business = (authorization: Settings = {}, more: Partial<BusinessDefinition> = {}) =>
  businessWith([service('svc_a')], {
    registry: { enabled: true },
    website: { assistants: false },
    authorization: { accepted_mechanisms: ['http_message_signature', 'oauth2_bearer', 'api_key'], ...authorization },
    ...more,
  })

export interface Client {
  id: string
  key: string
  secret: string
}

/** A server that issues tokens by the true time, as its authorization server does, and a client of it. */
export async function oauthServer(definition = business(), databaseUrl = '') {
  const server = await testServer(definition, { databaseUrl })
  server.time.now = new Date()
  const platform = await testPlatform()
  return { server, platform, client: await addClient(server.runtime.db, 'Known platform', new Date()) }
}

export const basic = ({ id, secret }: Pick<Client, 'id' | 'secret'>) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})

export const post = (
  server: TestServer,
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  server.raw({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })

export const grant = { grant_type: 'client_credentials' }

/** A token, bound to the key if there is one. */
export async function obtain(server: TestServer, client: Client, key?: TestKey): Promise<string> {
  const dpop = key && { dpop: restProof(key, 'POST', TOKEN_ENDPOINT, new Date()) }
  const { body } = await post(server, '/oauth/token', grant, { ...basic(client), ...dpop })
  return body.access_token
}

export interface Said {
  status: number
  code: string | undefined
  challenge: string | undefined
  principal: string | undefined
}

/** What a caller shows: in headers, or in the arguments of a tool call. */
export interface Shown {
  headers?: Record<string, string>
  authorization?: { mechanism: string; credential?: string; proof?: string }
}

const input = { callback_url: 'https://127.0.0.1:9443/hook' }

/** Subscribes over REST and over MCP, and tells who the server took the caller for. */
export function bindings(server: TestServer, platform: Platform) {
  const principalOf = async (id: string | undefined) =>
    id === undefined
      ? undefined
      : (
          await server.runtime.db
            .selectFrom('feed_subscriptions')
            .select('principal')
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
        ).principal

  const rest = async ({ headers = {} }: Shown): Promise<Said> => {
    const answer = await server.rest('POST', '/services/feed/subscriptions', input, {
      'usp-agent': `profile="${platform.url}"`,
      ...headers,
    })
    const { status, body } = answer
    const challenge = answer.headers['www-authenticate']
    return { status, code: body.code, challenge, principal: await principalOf(body.subscription?.id) }
  }

  const mcp = async ({ headers = {}, authorization }: Shown): Promise<Said> => {
    const usp = { profile: platform.url, ...(authorization && { authorization }) }
    const { body } = await server.raw({
      method: 'POST',
      url: '/usp/mcp',
      headers: { 'content-type': 'application/json', ...headers },
      payload: {
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: 'usp_services_feed_subscribe', arguments: { ...input, _meta: { usp } } },
      },
    })
    return {
      status: body.error?.code ?? 200,
      code: body.error?.data.code,
      challenge: undefined,
      principal: await principalOf(body.result?.structuredContent.subscription.id),
    }
  }

  return { rest, mcp }
}

/** A proof for the call that `rest` makes. */
export const proofForRest = (key: TestKey, token: string, claims: object = {}) =>
  restProof(key, 'POST', `${origin}/usp/v1/services/feed/subscriptions`, new Date(), { ath: sha256(token), ...claims })

/** A proof for the call that `mcp` makes. */
export const proofForTool = (key: TestKey, token: string, platform: Platform) =>
  toolProof(key, 'usp_services_feed_subscribe', { ...input, _meta: { usp: { profile: platform.url } } }, new Date(), {
    ath: sha256(token),
  })

const sha256 = (text: string) => hash('sha256', text, 'base64url')
