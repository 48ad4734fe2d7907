import { beforeAll, describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { renewScopedCredential } from '../../src/core/authentication/booking-scoped-credentials.ts'
import { obtain } from '../oauth/support.ts'
import { issuedBy, selfSigned } from '../support/certificates.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { bindingsOf, scopedServer } from '../support/scoped.ts'
import { changed, digestOf, ORIGIN, type Outgoing, published, signed } from '../support/sign.ts'

/** The certificate comes from a proxy on this machine. */
const server = await scopedServer(
  {
    authorization: {
      accepted_mechanisms: [
        'http_message_signature',
        'platform_key_pop',
        'booking_scoped_credential',
        'oauth2_bearer',
        'api_key',
        'mtls',
      ],
    },
  },
  { env: { TRUST_PROXY: '127.0.0.1' } },
)
server.time.now = new Date(Math.floor(Date.now() / 1000) * 1000)
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const client = await addClient(server.runtime.db, 'Known', server.time.now)
const token = await obtain(server, client)
const { der } = issuedBy(selfSigned('Authority'), 'client', 'clientAuth')

type Show = (outgoing: Outgoing) => Outgoing
/** What proves a caller by itself, each of them good. */
const evidence: Record<string, Show> = {
  'an RFC 9421 signature': (outgoing) => signed(outgoing, { key: key.private, parameters: ';keyid="k1"' }),
  'a client certificate': (outgoing) => changed(outgoing, { 'client-cert': `:${der.toString('base64')}:` }),
  'a bearer token': (outgoing) => changed(outgoing, { authorization: `Bearer ${token}` }),
  'an API key': (outgoing) => changed(outgoing, { authorization: `Bearer ${client.key}` }),
}

interface Said {
  code: string | undefined
  id: string | undefined
}

async function send({ method, target, headers, body }: Outgoing): Promise<Said> {
  const host = new URL(ORIGIN).host
  const answer = await server.raw({
    method,
    url: target,
    headers: { host, ...headers },
    ...(body && { payload: body }),
  })
  const { error, result } = answer.body
  const { code, messages, thing } = error?.data ?? result?.structuredContent ?? answer.body
  return { code: code ?? messages?.[0].code, id: thing?.id }
}

const json = (body: string) => ({ 'content-type': 'application/json', 'content-digest': digestOf(body) })
const agent = { 'usp-agent': `profile="${platform.url}"` }

const rest = {
  create: (): Outgoing => ({
    method: 'POST',
    target: '/usp/v1/bookings',
    headers: { ...agent, ...json('{}') },
    body: '{}',
  }),
  read: (id: string, credential?: string): Outgoing => ({
    method: 'GET',
    target: `/usp/v1/bookings/${id}`,
    headers: { ...agent, ...(credential !== undefined && { authorization: `DPoP ${credential}` }) },
    body: '',
  }),
}

function tool(name: string, input: object, credential?: string): Outgoing {
  const authorization = { mechanism: 'booking_scoped_credential', credential }
  const usp = { profile: platform.url, ...(credential !== undefined && { authorization }) }
  const params = { name, arguments: { ...input, _meta: { usp } } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params })
  return { method: 'POST', target: '/usp/mcp', headers: json(body), body }
}
const mcp = {
  create: () => tool('usp_bookings_create', {}),
  read: (booking_id: string, credential?: string) => tool('usp_bookings_get', { booking_id }, credential),
}

/** A credential for the booking, bound to a key of its own. */
async function boundTo(id: string) {
  const { thumbprint } = holder
  const caller = { principal: `key:${thumbprint}`, profile: platform.url, mechanism: 'platform_key_pop' }
  const expiresAt = new Date(server.time.now.getTime() + 3_600_000)
  const resource = { kind: 'booking', id } as const
  const issued = await renewScopedCredential(
    server.runtime.db,
    resource,
    { ...caller, identities: [caller.principal], credentials: true },
    { expiresAt, zone: 'UTC' },
  )
  return String(issued?.value)
}
const holder = testKey()

/** On REST a token, a key and the credential have one header for all of them. */
const together = [
  ['REST', 'an RFC 9421 signature', rest],
  ['REST', 'a client certificate', rest],
  ...Object.keys(evidence).map((name) => ['MCP', name, mcp] as const),
] as const

describe.each(together)('[POP-079] over %s, beside %s that is good for the booking,', (_, name, { create, read }) => {
  const show: Show = evidence[name] ?? ((outgoing) => outgoing)
  let [id, credential] = ['', '']

  beforeAll(async () => {
    id = String((await send(show(create()))).id)
    credential = await boundTo(id)
  })

  test('which by itself opens it', async () => {
    expect(await send(show(read(id)))).toEqual({ code: undefined, id })
  })

  test('a bound credential without its proof is refused', async () => {
    expect(await send(show(read(id, credential)))).toEqual({ code: 'pop_proof_missing', id: undefined })
  })
})

describe.each([
  ['REST', rest],
  ['MCP', mcp],
] as const)('a signature that is no good, over %s,', (name, { create }) => {
  const good = evidence['an RFC 9421 signature'] as Show
  const spoiled: Record<string, Show> = {
    'of other bytes': (outgoing) => changed(good(outgoing), { signature: `sig1=:${'A'.repeat(86)}==:` }),
    'without its input': (outgoing) => changed(good(outgoing), { 'signature-input': undefined }),
  }
  const others = Object.entries(evidence).filter(([, show]) => show !== good)
  const cases = others.flatMap(([name, show]) =>
    Object.entries(spoiled).map(([fault, spoil]) => [fault, name, spoil, show] as const),
  )

  test.each(cases)('%s, is not passed over for %s', async (fault, _name, spoil, show) => {
    expect((await send(show(create()))).code).toBeUndefined()
    const code = fault === 'of other bytes' ? 'signature_invalid' : 'signature_missing'
    expect((await send(spoil(show(create())))).code).toBe(code)
  })

  test('is not passed over for a proof of a key, or for a bound credential with its proof', async () => {
    const binding = bindingsOf(server, platform).find((one) => one.name === name)
    const headers = { 'signature-input': 'sig1=("@method");keyid="k1"', signature: `sig1=:${'A'.repeat(86)}==:` }
    const { thing, credential } = (await binding?.call('usp_bookings_create', {}, { key: holder })) ?? {}
    expect((await binding?.call('usp_bookings_create', {}, { key: holder, headers }))?.thing).toBeUndefined()
    const bound = { key: holder, credential: String(credential?.value) }
    const input = { booking_id: thing?.id }
    expect((await binding?.call('usp_bookings_get', input, bound))?.thing).toMatchObject({ id: thing?.id })
    expect((await binding?.call('usp_bookings_get', input, { ...bound, headers }))?.code).toMatch(/^signature_/)
  })
})
