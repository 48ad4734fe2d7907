import { describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { type Ask, type Binding, bindingsOf, expectRefused, expectServed, scopedServer } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const CREATE = 'usp_bookings_create'
const UPDATE = 'usp_bookings_update'
const platform = await testPlatform()
const key = testKey()
const deployed = (deployment_mode: BusinessDefinition['deployment_mode'] & string) => scopedServer({ deployment_mode })
const standalone = await deployed('standalone')
const native = await deployed('ucp_native')
const ORIGIN = native.runtime.config.baseUrl
/** What a platform does differently in each mode: the profile it found the business by, the header it names itself in. */
const modes = [
  ['standalone', standalone, { aud: `${ORIGIN}/.well-known/usp` }, 'usp-agent'],
  ['ucp_native', native, { aud: `${ORIGIN}/.well-known/ucp` }, 'ucp-agent'],
] as const

describe.each(modes)('[POP-011] in mode %s', (_, server, claims, agentHeader) => {
  describe.each(bindingsOf(server, platform).map((binding) => [binding.name, binding] as const))(
    'over %s',
    (name, binding) => {
      /** On REST the header of the mode names the platform; the tool's arguments do on MCP. */
      const ask = (more: Ask = {}): Ask =>
        name === 'MCP'
          ? { key, claims, ...more }
          : { key, agent: '', ...more, headers: { [agentHeader]: `profile="${platform.url}"`, ...more.headers } }

      test('the proof alone proves the caller, and the credential comes beside the new resource', async () => {
        const made = await binding.call(CREATE, {}, ask())
        expectServed(binding, made)
        expect(made.credential).toMatchObject({ value: expect.stringMatching(/^bsc_/), cnf: { jkt: key.thumbprint } })
        expect(JSON.stringify(made.thing)).not.toContain(made.credential.value)
      })

      test('credential and proof together reach that resource, neither of them does without the other', async () => {
        const { thing, credential } = await binding.call(CREATE, {}, ask())
        const input = { booking_id: thing.id }
        expectServed(binding, await binding.call(UPDATE, input, ask({ credential: credential.value })))
        const { key: _, ...unproven } = ask({ credential: credential.value })
        expectRefused(binding, await binding.call(UPDATE, input, unproven), 'pop_proof_missing')
        const stranger = ask({ credential: credential.value, key: testKey() })
        expectRefused(binding, await binding.call(UPDATE, input, stranger), 'pop_key_mismatch')
        const invented = ask({ credential: 'bsc_0123456789abcdefghijkl' })
        expectRefused(binding, await binding.call(UPDATE, input, invented), 'authentication_required')
      })
    },
  )

  test('an API key is taken in Authorization on REST and in `_meta.usp.authorization` of a tool call', async () => {
    const { key: apiKey } = await addClient(server.runtime.db, 'Agent', START)
    const [rest, mcp] = bindingsOf(server, platform)
    const headers = { [agentHeader]: `profile="${platform.url}"` }
    const credential = { credential: apiKey, scheme: 'Bearer', mechanism: 'api_key' }
    expectServed(rest, await rest.call(CREATE, {}, { agent: '', headers, ...credential }))
    expectServed(mcp, await mcp.call(CREATE, {}, credential))
  })

  test('`_meta.ucp` of a tool call authenticates nobody', async () => {
    const [, mcp] = bindingsOf(server, platform)
    const authorization = { mechanism: 'platform_key_pop', proof: mcp.proof(CREATE, {}, { key, claims }) }
    const _meta = { usp: { profile: platform.url }, ucp: { profile: platform.url, authorization } }
    const { body } = await server.tool(CREATE, { _meta })
    expect([body.error.code, body.error.data.code]).toEqual([-32006, 'authentication_required'])
  })
})

test.each(modes)('[POP-025] in mode %s the one profile address there is counts as aud', async (_, server, claims) => {
  const [, mcp] = bindingsOf(server, platform)
  const call = (aud: string) => mcp.call(CREATE, {}, { key, claims: { aud } })
  expectServed(mcp, await call(claims.aud))
  for (const other of [...modes.map(([, , { aud }]) => aud), ORIGIN, `${claims.aud}/`])
    if (other !== claims.aud) expectRefused(mcp, await call(other), 'pop_proof_invalid')
})

test('[POP-025] in mode ucp_native each name of the server counts in aud, a claimed Host does not', async () => {
  const [, mcp]: [Binding, Binding] = bindingsOf(native, platform)
  const call = (host: string) => {
    const claims = { aud: `http://${host}/.well-known/ucp` }
    return mcp.call(CREATE, {}, { key, claims, headers: { host } })
  }
  expectServed(mcp, await call('localhost:8080'))
  expectRefused(mcp, await call('10.0.0.9:8080'), 'pop_proof_invalid')
})
