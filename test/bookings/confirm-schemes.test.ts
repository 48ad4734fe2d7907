import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { addStaff } from '../../src/core/authentication/staff-members.ts'
import { BACK, linked } from '../oauth/browser.ts'
import { obtain, origin } from '../oauth/support.ts'
import { issuedBy, selfSigned } from '../support/certificates.ts'
import { buyer } from '../support/desk.ts'
import { restProof, type TestKey, testKey, testPlatform, toolProof } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { shopDefinition } from './shop.ts'

const PROXY = '10.0.0.5'
const server = await testServer(
  {
    ...shopDefinition,
    authorization: { accepted_mechanisms: ['mtls', 'oauth2_bearer', 'api_key'], identity_linking: true },
  },
  { env: { TRUST_PROXY: '10.0.0.0/8' } },
)
// The authorization server goes by the true time.
server.time.now = new Date()
const { db } = server.runtime
const platform = await testPlatform()
const client = await addClient(db, 'Known', server.time.now, [BACK])
const certificate = issuedBy(selfSigned('Authority'), 'client', 'clientAuth')
const managerKey = await addStaff(db, 'Mia', 'manager', server.time.now)

interface Shown {
  headers: Record<string, string>
  mechanism?: string
  /** The token is bound to it, so each call proves it anew. */
  bound?: { key: TestKey; token: string }
}

const bearer = (token: string): Shown => ({ headers: { authorization: `Bearer ${token}` } })

async function boundToken(): Promise<Shown> {
  const key = testKey()
  const token = await obtain(server, client, key)
  return { headers: { authorization: `DPoP ${token}` }, bound: { key, token } }
}

const schemes: Record<string, () => Promise<Shown>> = {
  'a certificate': async () => ({
    headers: { 'client-cert': `:${certificate.der.toString('base64')}:` },
    mechanism: 'mtls',
  }),
  'an access token': async () => bearer(await obtain(server, client)),
  'a token bound to a key': boundToken,
  'the link of a buyer': async () => bearer((await linked(server, client, { asked: 'usp:booking' })).access),
  'an API key': async () => bearer(client.key),
}

const ath = (token: string) => ({ ath: hash('sha256', token, 'base64url') })

const paths: Record<string, string> = {
  usp_availability_query: '/availability/query',
  usp_bookings_create: '/bookings',
}
const pathOf = (tool: string, { booking_id }: { booking_id?: string }) =>
  paths[tool] ?? `/bookings/${booking_id}/confirm`

/** The answer of a call, or what it failed by: HTTP's status or JSON-RPC's number, and the code. */
const bindings = {
  async REST(tool: string, { booking_id, ...input }: Record<string, unknown>, { headers, bound }: Shown) {
    const url = `/usp/v1${pathOf(tool, booking_id === undefined ? {} : { booking_id: String(booking_id) })}`
    const dpop = bound && { dpop: restProof(bound.key, 'POST', origin + url, new Date(), ath(bound.token)) }
    const named = { 'usp-agent': `profile="${platform.url}"`, ...headers, ...dpop }
    const { status, body } = await server.raw({
      method: 'POST',
      url,
      headers: named,
      payload: input,
      remoteAddress: PROXY,
    })
    return status < 400 ? body : { failed: [status, body.code] }
  },
  async MCP(tool: string, input: Record<string, unknown>, { headers, mechanism, bound }: Shown) {
    const named = { ...input, _meta: { usp: { profile: platform.url } } }
    const proof = bound && { proof: toolProof(bound.key, tool, named, new Date(), ath(bound.token)) }
    const authorization = bound ? { mechanism: 'oauth2_bearer', credential: bound.token, ...proof } : { mechanism }
    const usp = { profile: platform.url, ...((mechanism || bound) && { authorization }) }
    const params = { name: tool, arguments: { ...input, _meta: { usp } } }
    const payload = { jsonrpc: '2.0', id: 7, method: 'tools/call', params }
    const { body } = await server.raw({ method: 'POST', url: '/usp/mcp', headers, payload, remoteAddress: PROXY })
    return body.error ? { failed: [body.error.code, body.error.data.code] } : body.result.structuredContent
  },
}

const days = (count: number) => new Date(server.time.now.getTime() + count * 86_400_000).toISOString().slice(0, 10)

const cases = (['REST', 'MCP'] as const).flatMap((binding) =>
  Object.keys(schemes).map((scheme) => ({ binding, scheme })),
)

test.each(cases)(
  '[BKG-078] [LIV-107] over $binding whoever booked by $scheme cannot confirm by it, whatever the booking has come to',
  async ({ binding, scheme }) => {
    const call = bindings[binding]
    const shown = await schemes[scheme]?.()
    if (!shown) throw new Error(`There is no scheme ${scheme}`)
    const range = { start_date: days(3), end_date: days(8) }
    const { slots } = await call('usp_availability_query', { service_id: 'svc_asked', ...range }, { headers: {} })
    const wish = { service_id: 'svc_asked', slot_id: slots[0].id, buyer }
    const { booking } = await call('usp_bookings_create', wish, shown)
    expect(booking.status).toBe('pending')

    const confirm = (who: Shown, booking_id = booking.id) => call('usp_bookings_confirm', { booking_id }, who)
    const refused = [binding === 'REST' ? 401 : -32006, 'authentication_required']
    const before = await tableContents(db)
    expect((await confirm(shown)).failed).toEqual(refused)
    expect((await confirm(shown, 'bkg_none')).failed).toEqual(refused)
    expect(await tableContents(db)).toEqual(before)

    // It was the caller alone that stood in the way.
    expect((await confirm(bearer(managerKey))).booking.status).toBe('confirmed')
    const confirmed = await tableContents(db)
    expect((await confirm(shown)).failed).toEqual(refused)
    expect(await tableContents(db)).toEqual(confirmed)
  },
)
