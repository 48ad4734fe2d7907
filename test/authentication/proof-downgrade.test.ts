import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { bindingsOf, expectRefused, expectServed, scopedServer } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const server = await scopedServer()
const platform = await testPlatform()
const [rest, mcp] = bindingsOf(server, platform)
const key = testKey()
const GET = 'usp_bookings_get'
const { thing, credential } = await rest.call('usp_bookings_create', {}, { key })
const { id } = thing
const bound = { credential: credential.value }
const apiKey = (await addClient(server.runtime.db, 'Known', START)).key

describe('a bound credential without its proof', () => {
  test.each([
    'booking_scoped_credential',
    'platform_key_pop',
    'http_message_signature',
    'api_key',
    'oauth2_bearer',
    'mtls',
  ])('[POP-078] gives pop_proof_missing on MCP, whatever the mechanism is called: %s', async (mechanism) => {
    expectRefused(mcp, await mcp.call(GET, { booking_id: id }, { ...bound, mechanism }), 'pop_proof_missing')
  })

  const signature = { signature: 'sig1=:AAAA:', 'signature-input': 'sig1=("@method");keyid="k"' }

  test('[POP-078] is what is told, also beside an API key, and a signature and a token that are no good', async () => {
    expectRefused(rest, await rest.call(GET, { booking_id: id }, { ...bound, headers: signature }), 'pop_proof_missing')
    for (const headers of [signature, { authorization: `Bearer ${apiKey}` }, { authorization: 'Bearer something' }])
      expectRefused(mcp, await mcp.call(GET, { booking_id: id }, { ...bound, headers }), 'pop_proof_missing')
  })

  test('[POP-080] as a bearer token gives pop_proof_missing', async () => {
    for (const scheme of ['Bearer', 'bearer'])
      expectRefused(rest, await rest.call(GET, { booking_id: id }, { ...bound, scheme }), 'pop_proof_missing')
  })

  test('[POP-081] as a bearer token is refused even with a valid proof; the scheme must be DPoP', async () => {
    const answer = await rest.call(GET, { booking_id: id }, { ...bound, key, scheme: 'Bearer' })
    expect(answer.status).toBe(401)
    expectServed(rest, await rest.call(GET, { booking_id: id }, { ...bound, key }))
  })

  test('[POP-009] with its proof it is accepted under either name of the mechanism', async () => {
    for (const mechanism of ['booking_scoped_credential', 'platform_key_pop'])
      expectServed(mcp, await mcp.call(GET, { booking_id: id }, { ...bound, key, mechanism }))
  })
})
