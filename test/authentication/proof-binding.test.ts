import canonicalize from 'canonicalize'
import { describe, expect, test } from 'vitest'
import { testKey, testPlatform } from '../support/platform.ts'
import { bindingsOf, expectRefused, expectServed, scopedServer, sha256, toolCall } from '../support/scoped.ts'

const server = await scopedServer()
const platform = await testPlatform()
const [rest, mcp] = bindingsOf(server, platform)
const profile = platform.url
const key = testKey()
const CREATE = 'usp_bookings_create'

/** A call whose arguments on the way are not those that the proof was made of. */
async function onTheWay(proven: Record<string, unknown>, sent: Record<string, unknown>, usp: object, uspSent = usp) {
  const args = canonicalize({ ...proven, _meta: { usp } }) ?? ''
  const proof = mcp.proof(CREATE, {}, { key, claims: { usp_p: sha256(args) } })
  const authorization = { mechanism: 'platform_key_pop', proof }
  return toolCall(server, CREATE, JSON.stringify({ ...sent, _meta: { usp: { ...uspSent, authorization } } }))
}

describe('what a proof on MCP is bound to', () => {
  const buyer = { first_name: 'Ada', last_name: 'Example', email: 'ada@example.com' }
  const delivery_address = { line1: 'Street 1', city: 'Town' }
  const args = { slot_id: 'slot_1', buyer, delivery_address, party_size: 1 }
  const usp = { profile, idempotency_key: 'order-17' }

  test('[POP-027] usp_p is over the arguments with `_meta`, not over the params of tools/call', async () => {
    expectServed(mcp, await onTheWay(args, args, usp))
    const params = { name: CREATE, arguments: { ...args, _meta: { usp } } }
    const claims = { usp_p: sha256(canonicalize(params) ?? '') }
    expectRefused(mcp, await mcp.call(CREATE, args, { key, claims }), 'pop_proof_invalid')
    const padded = { usp_p: `${sha256(canonicalize({ ...args, _meta: { usp: { profile } } }) ?? '')}=` }
    expectRefused(mcp, await mcp.call(CREATE, args, { key, claims: padded }), 'pop_proof_invalid')
  })

  test('[POP-028] only the authorization is left out of the digest: without `_meta` it is another one', async () => {
    const digest = (value: object) => ({ usp_p: sha256(canonicalize(value) ?? '') })
    for (const wrong of [args, { ...args, _meta: {} }, { ...args, _meta: { usp: {} } }])
      expectRefused(mcp, await mcp.call(CREATE, args, { key, claims: digest(wrong) }), 'pop_proof_invalid')
    expectServed(mcp, await mcp.call(CREATE, args, { key, claims: digest({ ...args, _meta: { usp: { profile } } }) }))
  })

  test.each([
    ['[POP-029] buyer.email', { ...args, buyer: { ...buyer, email: 'eve@example.com' } }, usp],
    ['[POP-029] slot_id', { ...args, slot_id: 'slot_2' }, usp],
    ['[POP-029] delivery_address', { ...args, delivery_address: { ...delivery_address, city: 'Elsewhere' } }, usp],
    ['[POP-029] a member that was added', { ...args, note: 'more' }, usp],
    ['[POP-030] the profile', args, { ...usp, profile: `${profile}?other` }],
    ['[POP-031] the idempotency key', args, { ...usp, idempotency_key: 'order-18' }],
    ['[POP-031] an idempotency key that was taken away', args, { profile }],
  ])('%s changed on the way gives pop_proof_invalid', async (_, sent, uspSent) => {
    expectRefused(mcp, await onTheWay(args, sent, usp, uspSent), 'pop_proof_invalid')
  })

  test('[POP-032] if_match changed on the way gives pop_proof_invalid', async () => {
    const { thing } = await mcp.call(CREATE, {}, { key })
    const send = (if_match: string) => {
      const args = { booking_id: thing.id, _meta: { usp: { profile, if_match: 'revision-1' } } }
      const claims = { usp_p: sha256(canonicalize(args) ?? '') }
      const proof = mcp.proof('usp_bookings_cancel', {}, { key, claims })
      const authorization = { mechanism: 'platform_key_pop', proof }
      const usp = { profile, if_match, authorization }
      return toolCall(server, 'usp_bookings_cancel', JSON.stringify({ booking_id: thing.id, _meta: { usp } }))
    }
    expectRefused(mcp, await send('revision-2'), 'pop_proof_invalid')
    expectServed(mcp, await send('revision-1'))
  })

  test.each([
    ['[POP-033] another member order', `{"note":"a/é","party_size":1,"_meta":META}`],
    ['[POP-033] white space', `{ "_meta" : META ,\n\t"party_size" : 1 , "note":"a/é" }`],
    ['[POP-033] escapes', `{"_meta":META,"note":"\\u0061\\/\\u00e9","party_size":1}`],
    ['[POP-034] 1.0 for 1', `{"_meta":META,"note":"a/é","party_size":1.0}`],
    ['[POP-034] 10e-1 for 1', `{"_meta":META,"note":"a/é","party_size":10e-1}`],
  ])('%s keeps the proof valid', async (_, written) => {
    const proof = mcp.proof(CREATE, { party_size: 1, note: 'a/é' }, { key })
    const meta = JSON.stringify({ usp: { profile, authorization: { mechanism: 'platform_key_pop', proof } } })
    expectServed(mcp, await toolCall(server, CREATE, written.replace('META', meta)))
  })

  test('[POP-014] a DPoP header at the MCP endpoint authenticates nothing', async () => {
    const onRest = rest.proof(CREATE, {}, { key })
    const onMcp = mcp.proof(CREATE, {}, { key })
    const htu = `${server.runtime.config.baseUrl}/usp/mcp`
    const forEndpoint = rest.proof(CREATE, {}, { key, claims: { htu } })
    for (const dpop of [onRest, onMcp, forEndpoint]) {
      expectRefused(mcp, await mcp.call(CREATE, {}, { headers: { dpop } }), 'authentication_required')
      const declared = await mcp.call(CREATE, {}, { headers: { dpop }, mechanism: 'platform_key_pop' })
      expectRefused(mcp, declared, 'pop_proof_missing')
    }
  })

  test('[POP-015] [ERR-051] [ERR-053] the mechanism platform_key_pop without a proof gives pop_proof_missing', async () => {
    const answer = await mcp.call(CREATE, {}, { mechanism: 'platform_key_pop' })
    expectRefused(mcp, answer, 'pop_proof_missing')
    expect(answer.body.error.message).toBe('pop_proof_missing')
  })

  test('[POP-025] the profile address at each name of the server is accepted as aud, a claimed Host is not', async () => {
    const call = (host: string) => {
      const claims = { aud: `http://${host}/.well-known/usp` }
      return mcp.call(CREATE, {}, { key, claims, headers: { host } })
    }
    expectServed(mcp, await call('127.0.0.1:8080'))
    expectRefused(mcp, await call('10.0.0.9:8080'), 'pop_proof_invalid')
    expectServed(mcp, await call('localhost:8080'))
  })
})

test('[POP-053] a faultless proof of one binding is pop_proof_invalid on the other', async () => {
  const fromMcp = mcp.proof(CREATE, {}, { key })
  const fromRest = rest.proof(CREATE, {}, { key })
  expectRefused(rest, await rest.call(CREATE, {}, { proof: fromMcp }), 'pop_proof_invalid')
  expectRefused(mcp, await mcp.call(CREATE, {}, { proof: fromRest }), 'pop_proof_invalid')
  expectServed(mcp, await mcp.call(CREATE, {}, { proof: fromMcp }))
  expectServed(rest, await rest.call(CREATE, {}, { proof: fromRest }))
})

describe('[POP-019] htu is compared as an address', () => {
  test.each([
    ['a query', 'https://Business.example.com/usp/v1/bookings?a=b', true],
    ['a fragment', 'https://business.example.com/usp/v1/bookings#here', true],
    ['the host in capitals', 'HTTPS://BUSINESS.EXAMPLE.COM/usp/v1/bookings', true],
    ['the default port', 'https://business.example.com:443/usp/v1/bookings', true],
    ['the internal address', 'http://127.0.0.1:8080/usp/v1/bookings', false],
    ['another port', 'https://business.example.com:8443/usp/v1/bookings', false],
    ['the path in capitals', 'https://business.example.com/USP/v1/bookings', false],
  ])('with %s: %s', async (_, htu, accepted) => {
    const [binding] = bindingsOf(await behindProxy, platform)
    const answer = await binding.call(CREATE, {}, { key, claims: { htu } })
    if (accepted) expectServed(binding, answer)
    else expectRefused(binding, answer, 'pop_proof_invalid')
  })
})
const behindProxy = scopedServer({}, { env: { BASE_URL: 'https://business.example.com' } })

test('[POP-020] two DPoP header fields give pop_proof_invalid, also when both are good', async () => {
  const origin = await (await server.whole()).listen({ port: 0, host: '127.0.0.1' })
  const headers = new Headers({ 'usp-agent': `profile="${profile}"`, 'content-type': 'application/json' })
  const send = (...proofs: string[]) => {
    const given = new Headers(headers)
    for (const proof of proofs) given.append('dpop', proof)
    return fetch(`${origin}/usp/v1/bookings`, { method: 'POST', headers: given, body: '{}' })
  }
  const two = await send(rest.proof(CREATE, {}, { key }), rest.proof(CREATE, {}, { key }))
  expect([two.status, Object(await two.json()).code]).toEqual([401, 'pop_proof_invalid'])
  expect((await send(rest.proof(CREATE, {}, { key }))).status).toBe(201)
})
