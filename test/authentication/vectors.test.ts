import { createPrivateKey } from 'node:crypto'
import canonicalize from 'canonicalize'
import { describe, expect, test } from 'vitest'
import { argumentsDigest } from '../../src/core/authentication/check-proof-against-call.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'
import { canonical } from '../../src/protocol/parse-json-safely.ts'
import { jws, platformProfile, type TestKey, testKey } from '../support/platform.ts'
import {
  addThing,
  bindingsOf,
  expectRefused,
  expectServed,
  scopedServer,
  sha256,
  thingCount,
  toolCall,
} from '../support/scoped.ts'

/** The published vectors, told here since the tests stand alone. */
const jwk = { crv: 'Ed25519', kty: 'OKP', x: 'iojj3XQJ8ZX9UtstPLpdcspnCb8dlBIb83SIAbQPb1w' }
const jkt = 'UDDReOZl1ipXAfp9wYsm13sDBMK5og--QWdBjzuf6o4'
const d = 'AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE'
const k1: TestKey = { jwk, thumbprint: jkt, private: createPrivateKey({ key: { ...jwk, d }, format: 'jwk' }) }
const header =
  'eyJhbGciOiJFZERTQSIsImp3ayI6eyJjcnYiOiJFZDI1NTE5Iiwia3R5IjoiT0tQIiwieCI6ImlvamozWFFKOFpYOVV0c3RQTHBkY3NwbkNiOGRsQkliODNTSUFiUVBiMXcifSwidHlwIjoidXNwLXBvcCtqd3QifQ'
const proof004 = `${header}.eyJhdWQiOiJodHRwczovL2J1c2luZXNzLmV4YW1wbGUuY29tLy53ZWxsLWtub3duL3VzcCIsImlhdCI6MTc4OTIwMDAwMCwianRpIjoiMDFIWlhLOVQ0UjhRVzJWTjZZME0zUEI1Q0QiLCJ1c3BfbSI6InVzcF9ib29raW5nc19jcmVhdGUiLCJ1c3BfcCI6IldEeFNmUDQ4UjhlbTRrOE90dFVJbEhvZXNoSkFmX3ZMWmhmNGgzVFJPQ28ifQ.EVlnc0TWSrL29lANkuPXl-QTVOJ8WA1yhPaVb6mXOniLs0D8xRmfwuVUFuidKXp4yhpcYYjw_enHUs4BFznJBw`
const proof005 = `${header}.eyJhdGgiOiItVHJBOFZZakhkNDFuMDNVd1RMU3c0R3dudWJQak9RY3lTUmpqZ1FFZmVjIiwiYXVkIjoiaHR0cHM6Ly9idXNpbmVzcy5leGFtcGxlLmNvbS8ud2VsbC1rbm93bi91c3AiLCJpYXQiOjE3ODkyMDM2MDAsImp0aSI6IjAxSFpYSzlUNFI4UVcyVk42WTBNM1BCNUNFIiwibm9uY2UiOiJuLTBTNl9XekEyTWoiLCJ1c3BfbSI6InVzcF9ib29raW5nc19jYW5jZWwiLCJ1c3BfcCI6ImRsc0ZZekRLT1czYlpKWlktLUFEMW5ieFliOGo2YUd4M2hZUV9RQ2JDZncifQ.3oDdkVHgoCKBWXAzZwksX02YpsEe9nKFzXsPIjVvGa0LPbcAgUzg5OTcuVZcID25C_5nK_YbUvEsUiVqyTLRCw`
const proof009 = `${header}.eyJhdGgiOiItVHJBOFZZakhkNDFuMDNVd1RMU3c0R3dudWJQak9RY3lTUmpqZ1FFZmVjIiwiYXVkIjoiaHR0cHM6Ly9vdGhlci1idXNpbmVzcy5leGFtcGxlLm5ldC8ud2VsbC1rbm93bi91c3AiLCJpYXQiOjE3ODkyMDM2MDAsImp0aSI6IjAxSFpYSzlUNFI4UVcyVk42WTBNM1BCNUNHIiwibm9uY2UiOiJuLTBTNl9XekEyTWoiLCJ1c3BfbSI6InVzcF9ib29raW5nc19jYW5jZWwiLCJ1c3BfcCI6ImRsc0ZZekRLT1czYlpKWlktLUFEMW5ieFliOGo2YUd4M2hZUV9RQ2JDZncifQ.yvqMc8BUTj9zmu1tFE1JYxrfqU3j0C6skevemjKCGDAz0zXlcRIvzodHc9mq-BGMNJutridl5jz3hOuGSNQgAw`
const proof011 =
  'eyJhbGciOiJFZERTQSIsImp3ayI6eyJjcnYiOiJYNDQ4Iiwia3R5IjoiT0tQIiwieCI6ImlvamozWFFKOFpYOVV0c3RQTHBkY3NwbkNiOGRsQkliODNTSUFiUVBiMXcifSwidHlwIjoidXNwLXBvcCtqd3QifQ.eyJhdWQiOiJodHRwczovL2J1c2luZXNzLmV4YW1wbGUuY29tLy53ZWxsLWtub3duL3VzcCIsImlhdCI6MTc4OTIwMDAwMCwianRpIjoiMDFIWlhLOVQ0UjhRVzJWTjZZME0zUEI1Q0ciLCJ1c3BfbSI6InVzcF9ib29raW5nc19jcmVhdGUiLCJ1c3BfcCI6IldEeFNmUDQ4UjhlbTRrOE90dFVJbEhvZXNoSkFmX3ZMWmhmNGgzVFJPQ28ifQ.PfD4xIvbaSZzqQWWQe_OHBZA3MTT_kj1LVHXD0AMo0AlkJ9ni9fmyzW4dk1kKWI6lBiOf8aof7iyb1fe-qMTDw'
const credential = 'bsc_7f3c1a9e4b2d8065f1ae93c7'
const profile = 'https://agent.example/p.json'
const challenged = 'n-0S6_WzA2Mj'
const params001 = {
  service_id: 'svc_haircut_001',
  slot_id: 'slot_20260315_0900',
  buyer: { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' },
  party_size: 1,
  _meta: { usp: { profile, idempotency_key: '550e8400-e29b-41d4-a716-446655440000' } },
}
const params002 = { booking_id: 'bkg_001', _meta: { usp: { profile } } }

describe('[POP-027] [POP-028] what is digested', () => {
  test.each([
    [
      '[POP-093] vector 001: a nested buyer',
      params001,
      '{"_meta":{"usp":{"idempotency_key":"550e8400-e29b-41d4-a716-446655440000","profile":"https://agent.example/p.json"}},"buyer":{"email":"alice@example.com","first_name":"Alice","last_name":"Williams"},"party_size":1,"service_id":"svc_haircut_001","slot_id":"slot_20260315_0900"}',
      'WDxSfP48R8em4k8OttUIlHoeshJAf_vLZhf4h3TROCo',
    ],
    [
      '[POP-094] vector 002: the id and the profile alone',
      params002,
      '{"_meta":{"usp":{"profile":"https://agent.example/p.json"}},"booking_id":"bkg_001"}',
      'dlsFYzDKOW3bZJZY--AD1nbxYb8j6aGx3hYQ_QCbCfw',
    ],
  ])('%s', (_, params, jcs, digest) => {
    expect(canonical(params)).toBe(jcs)
    expect(argumentsDigest(params)).toBe(digest)
    const authorization = { mechanism: 'platform_key_pop', proof: 'a.b.c' }
    const sent = { ...params, _meta: { usp: { ...params._meta.usp, authorization } } }
    expect(argumentsDigest(sent)).toBe(digest)
  })

  test('[POP-095] vector 003: text that is not ASCII, an array in its order, and an emptied `_meta.usp`', () => {
    const emptied = { usp: { authorization: { mechanism: 'platform_key_pop', proof: 'a.b.c' } } }
    const params = { note: 'café ☕ naïve', tags: ['b', 'a', 'é'], _meta: { usp: {} } }
    expect(canonical(params)).toBe('{"_meta":{"usp":{}},"note":"café ☕ naïve","tags":["b","a","é"]}')
    for (const sent of [params, { ...params, _meta: emptied }])
      expect(argumentsDigest(sent)).toBe('dFwiLlo67X28ndQDsoHovYQCF0WiVstzOoC2cEe8g08')
    expect(argumentsDigest({ ...params, note: params.note.normalize('NFD') })).not.toBe(argumentsDigest(params))
  })
})

interface Setting {
  at: number
  authorization?: object
}

/** A server of the vectors' business at the vectors' time, where K1's booking and credential are. */
async function business({ at, authorization = { proof_nonces: true } }: Setting) {
  const server = await scopedServer({ authorization }, { env: { BASE_URL: 'https://business.example.com' } })
  const { db, nonces } = server.runtime
  server.time.now = new Date(at * 1000)
  const get = async () => platformProfile()
  server.runtime.profiles = { get, refresh: get }
  server.runtime.nonces = { ...nonces, check: refuseUnless(challenged) }
  const owner = { principal: `key:${jkt}`, profile }
  const resource = { resource_kind: 'booking', resource_id: 'bkg_001' }
  const expires_at = new Date((at + 3600) * 1000)
  const value_hash = Buffer.from(sha256(credential), 'base64url')
  await db
    .insertInto('scoped_credentials')
    .values({ ...owner, ...resource, value_hash, jkt, expires_at })
    .execute()
  await addThing(server, 'bkg_001', owner)
  return server
}

const refuseUnless = (wanted: string) => (nonce: unknown) => {
  if (nonce !== wanted) throw new ProtocolError('proof_nonce_required', 'Use it.', { nonce: wanted })
}

type Business = Awaited<ReturnType<typeof business>>

const cancel = (server: Business, proof?: string, mechanism = 'booking_scoped_credential') => {
  const usp = { profile, authorization: { mechanism, credential, proof } }
  return toolCall(server, 'usp_bookings_cancel', JSON.stringify({ booking_id: 'bkg_001', _meta: { usp } }))
}

const mcp = { name: 'MCP' } as const
const presentation = { at: 1789203600 }
const claims005 = JSON.parse(Buffer.from(proof005.split('.')[1] ?? '', 'base64url').toString())

test('[POP-096] vector 004: the issuance proof is accepted, and the credential bound to its key', async () => {
  const server = await business({ at: 1789200000, authorization: {} })
  const authorization = { mechanism: 'platform_key_pop', proof: proof004 }
  const args = { ...params001, _meta: { usp: { ...params001._meta.usp, authorization } } }
  const answer = await toolCall(server, 'usp_bookings_create', JSON.stringify(args))
  expectServed(mcp, answer)
  expect(answer.credential.cnf).toEqual({ jkt })
})

test('[POP-097] [POP-100] vectors 005 and 008: the presentation cancels the booking; sent again it is a replay', async () => {
  const server = await business(presentation)
  const first = await cancel(server, proof005)
  expectServed(mcp, first)
  expect(first.thing).toMatchObject({ id: 'bkg_001', status: 'ended' })
  expectRefused(mcp, await cancel(server, proof005), 'pop_proof_replayed')
})

test('[POP-098] vector 006: a faultless proof by K2 with the credential of K1 gives pop_key_mismatch', async () => {
  const server = await business(presentation)
  const k2 = testKey()
  const proof = (key: TestKey) => jws({ alg: 'EdDSA', jwk: key.jwk, typ: 'usp-pop+jwt' }, claims005, key)
  expectRefused(mcp, await cancel(server, proof(k2)), 'pop_key_mismatch')
  expectServed(mcp, await cancel(server, proof(k1)))
})

test('[POP-099] vector 007: the bound credential without proof gives pop_proof_missing on both bindings', async () => {
  const server = await business(presentation)
  for (const binding of bindingsOf(server, { url: profile })) {
    const answer = await binding.call('usp_bookings_cancel', { booking_id: 'bkg_001' }, { credential })
    expectRefused(binding, answer, 'pop_proof_missing')
  }
})

test('[POP-101] vector 009: a proof for another business is refused here', async () => {
  const server = await business(presentation)
  expectRefused(mcp, await cancel(server, proof009), 'pop_proof_invalid')
  expectServed(mcp, await cancel(server, proof005))
})

test('[POP-102] vector 010: the alg none with an empty signature is pop_proof_invalid, not invalid_request', async () => {
  const server = await business(presentation)
  const none = Buffer.from(canonicalize({ alg: 'none', jwk, typ: 'usp-pop+jwt' }) ?? '').toString('base64url')
  const claims = proof005.split('.')[1]
  for (const mechanism of ['booking_scoped_credential', 'platform_key_pop'])
    expectRefused(mcp, await cancel(server, `${none}.${claims}.`, mechanism), 'pop_proof_invalid')
})

describe('[LIV-106] vector 011: the key of K1 with another curve in the header', () => {
  const at = 1789200000
  const bound = async (server: Business) => {
    const { db } = server.runtime
    const principals = await db.selectFrom('principals').select('principal').execute()
    return [principals, await db.selectFrom('seen_proofs').selectAll().execute(), await thingCount(server)]
  }

  test('is refused over MCP and binds nobody, and K1 is served as before', async () => {
    const server = await business({ at, authorization: {} })
    const before = await bound(server)
    const create = (proof: string) => {
      const authorization = { mechanism: 'platform_key_pop', proof }
      const args = { ...params001, _meta: { usp: { ...params001._meta.usp, authorization } } }
      return toolCall(server, 'usp_bookings_create', JSON.stringify(args))
    }
    expectRefused(mcp, await create(proof011), 'pop_proof_invalid')
    expect(await bound(server)).toEqual(before)
    expectServed(mcp, await create(proof004))
  })

  test.each(['X448', 'X25519', 'Ed448', 'P-256', ''])('is refused as %s on both bindings', async (crv) => {
    const server = await business({ at, authorization: {} })
    const before = await bound(server)
    const odd: TestKey = { ...k1, jwk: { ...jwk, crv } }
    for (const binding of bindingsOf(server, { url: profile }))
      expectRefused(binding, await binding.call('usp_bookings_create', {}, { key: odd }), 'pop_proof_invalid')
    expect(await bound(server)).toEqual(before)
  })

  test('is refused before the key is compared with that of the credential', async () => {
    const server = await business(presentation)
    const proof = jws({ alg: 'EdDSA', jwk: { ...jwk, crv: 'X448' }, typ: 'usp-pop+jwt' }, claims005, k1)
    expectRefused(mcp, await cancel(server, proof), 'pop_proof_invalid')
  })
})
