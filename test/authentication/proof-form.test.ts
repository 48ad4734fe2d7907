import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testKey, testPlatform } from '../support/platform.ts'
import { type Ask, type Binding, bindingsOf, expectRefused, expectServed, scopedServer } from '../support/scoped.ts'
import { START } from '../support/server.ts'

const server = await scopedServer()
const platform = await testPlatform()
const seconds = START.getTime() / 1000
const ed = testKey()
const ec = testKey('ES256')
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rsaJwk = rsa.publicKey.export({ format: 'jwk' })

/** The same bytes, written with unused bits in the last character. */
function otherBits(text = ''): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + digits[digits.indexOf(text.at(-1) ?? '') + 1]
}

type Fault = [rule: string, ask: Ask, only?: Binding['name']]

const faults: Fault[] = [
  ['[POP-016] [POP-022] [POP-077] a proof of typ JWT', { header: { typ: 'JWT' } }],
  ['[POP-016] [POP-022] a proof without typ', { header: { typ: undefined } }],
  ['[POP-053] [POP-077] the typ of the other binding', { header: { typ: 'usp-pop+jwt' } }, 'REST'],
  ['[POP-053] the typ of the other binding', { header: { typ: 'dpop+jwt' } }, 'MCP'],
  ['[POP-017] a proof without htm', { claims: { htm: undefined } }, 'REST'],
  ['[POP-018] a proof without htu', { claims: { htu: undefined } }, 'REST'],
  ['[POP-023] a proof without usp_m', { claims: { usp_m: undefined } }, 'MCP'],
  ['[POP-024] a proof without aud', { claims: { aud: undefined } }, 'MCP'],
  ['[POP-026] a proof without usp_p', { claims: { usp_p: undefined } }, 'MCP'],
  ['[POP-035] [POP-077] a proof without iat', { claims: { iat: undefined } }],
  ['[POP-035] an iat in text', { claims: { iat: String(seconds) } }],
  ['[POP-035] an iat of null', { claims: { iat: null } }],
  ['[POP-036] a proof without jti', { claims: { jti: undefined } }],
  ['[POP-036] an empty jti', { claims: { jti: '' } }],
  ['[POP-036] a jti that is a number', { claims: { jti: 17 } }],
  ['[POP-038] a claim that is not defined', { claims: { sub: 'somebody' } }],
  ['[POP-038] another claim of RFC 7519', { claims: { iss: 'https://platform.example' } }],
  ['[POP-038] the claim of the other binding', { claims: { usp_m: 'usp_bookings_create' } }, 'REST'],
  ['[POP-038] the claim of the other binding', { claims: { htm: 'POST' } }, 'MCP'],
  ['[POP-039] a jku in the header', { header: { jku: platform.url } }],
  ['[POP-039] an x5c in the header', { header: { x5c: ['MIIB'] } }],
  ['[POP-039] a crit in the header', { header: { crit: ['b64'], b64: false } }],
  ['[POP-043] [POP-077] the alg HS256', { header: { alg: 'HS256' } }],
  ['[POP-043] the alg RS256', { header: { alg: 'RS256', jwk: rsaJwk } }],
  ['[POP-043] the alg ES384', { header: { alg: 'ES384' } }],
  ['[POP-043] an alg that is a member of every object', { header: { alg: 'constructor' } }],
  ['[POP-054] the alg none with a signature', { header: { alg: 'none' } }],
  ...['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'].map(
    (member): Fault => [
      `[POP-044] a jwk with the private member ${member}`,
      { header: { jwk: { ...ed.jwk, [member]: 'AQ' } } },
    ],
  ),
  ['[POP-045] a header without jwk', { header: { jwk: undefined, kid: 'key-1' } }],
  ['[POP-045] a jwk in text', { header: { jwk: JSON.stringify(ed.jwk) } }],
  ['[POP-045] a jwk of another alg', { header: { jwk: ec.jwk } }],
  ['[POP-045] a jwk with half a key', { header: { jwk: { ...ed.jwk, x: 'AQAB' } } }],
  ['[POP-045] a jwk with a padded member', { header: { jwk: { ...ed.jwk, x: `${ed.jwk.x}=` } } }],
  ['[POP-045] a jwk in base64 with other unused bits', { header: { jwk: { ...ed.jwk, x: otherBits(ed.jwk.x) } } }],
  ['[POP-056] [POP-077] a signature by another key than the header shows', { header: { jwk: testKey().jwk } }],
  [
    '[POP-057] [POP-077] the aud of another business',
    { claims: { aud: 'https://other.example/.well-known/usp' } },
    'MCP',
  ],
  ['[POP-057] the aud without its path', { claims: { aud: 'http://127.0.0.1:8080' } }, 'MCP'],
  ['[POP-058] [POP-077] the htm of another method', { claims: { htm: 'DELETE' } }, 'REST'],
  ['[POP-058] an htm in small letters', { claims: { htm: 'post' } }, 'REST'],
  ['[POP-059] the htu of another path', { claims: { htu: 'http://127.0.0.1:8080/usp/v1/waitlist' } }, 'REST'],
  ['[POP-059] the htu of another host', { claims: { htu: 'http://other.example/usp/v1/bookings' } }, 'REST'],
  ['[POP-059] the htu of another scheme', { claims: { htu: 'https://127.0.0.1:8080/usp/v1/bookings' } }, 'REST'],
  ['[POP-059] an htu that is no address', { claims: { htu: '/usp/v1/bookings' } }, 'REST'],
  ['[POP-060] [POP-077] the usp_m of another tool', { claims: { usp_m: 'usp_bookings_cancel' } }, 'MCP'],
  ['[POP-061] the JSON-RPC method as usp_m', { claims: { usp_m: 'tools/call' } }, 'MCP'],
  ['[POP-062] [POP-077] the usp_p of other arguments', { claims: { usp_p: 'A'.repeat(43) } }, 'MCP'],
  ['[POP-007] an ath although no credential is presented', { claims: { ath: 'A'.repeat(43) } }],
  ['[POP-064] [POP-077] an iat of 61 seconds ago', { claims: { iat: seconds - 61 } }],
  ['[POP-065] an iat 61 seconds ahead', { claims: { iat: seconds + 61 } }],
  ['[RFC 7519] an exp that is now', { claims: { exp: seconds } }],
  ['[RFC 7519] an exp of the past', { claims: { exp: seconds - 1 } }],
  ['[RFC 7519] an exp in text', { claims: { exp: String(seconds + 60) } }],
  ['[RFC 7519] an exp of null', { claims: { exp: null } }],
  ['[RFC 7519] an nbf 61 seconds ahead', { claims: { nbf: seconds + 61 } }],
  ['[RFC 7519] an nbf in text', { claims: { nbf: String(seconds) } }],
]

describe.each(bindingsOf(server, platform).map((one) => [one.name, one] as const))('over %s', (name, binding) => {
  const create = (ask: Ask) => binding.call('usp_bookings_create', { note: 'x' }, { key: ed, ...ask })

  test.each(faults.filter(([, , only = name]) => only === name))(
    '%s gives pop_proof_invalid [ERR-051] [ERR-052] [ERR-054]',
    async (_, ask) => expectRefused(binding, await create(ask), 'pop_proof_invalid'),
  )

  test.each([
    ['[POP-040] an EdDSA key', {}],
    ['[POP-041] an ES256 key', { key: ec }],
    ['[POP-046] a kid', { header: { kid: 'anything' } }],
    ['[POP-064] an iat of 55 seconds ago', { claims: { iat: seconds - 55 } }],
    ['[POP-065] an iat 55 seconds ahead', { claims: { iat: seconds + 55 } }],
    ['[POP-021] [RFC 7519] an exp to come', { claims: { exp: seconds + 1 } }],
    ['[POP-021] [RFC 7519] an nbf of the past', { claims: { nbf: seconds - 600 } }],
    ['[POP-021] [RFC 7519] an nbf of a clock that is ahead', { claims: { nbf: seconds + 55, exp: seconds + 300 } }],
    ['[POP-091] a nonce that nobody asked for', { claims: { nonce: 'unasked' } }],
  ])('%s is accepted', async (_, ask) => expectServed(binding, await create(ask)))

  test('[POP-048] [POP-053] a proof that is no compact JWS gives pop_proof_invalid, not invalid_request', async () => {
    const good = binding.proof('usp_bookings_create', { note: 'x' }, { key: ed })
    const [header = '', claims = '', signature = ''] = good.split('.')
    const forms = {
      'two parts': `${header}.${claims}`,
      'four parts': `${good}.${signature}`,
      JSON: JSON.stringify({ payload: claims, signatures: [{ protected: header, signature }] }),
      padding: `${header}.${claims}.${signature}==`,
      garbage: 'garbage',
      'a header that is no object': `${Buffer.from('[]').toString('base64url')}.${claims}.${signature}`,
    }
    for (const [form, proof] of Object.entries(forms))
      expect({ form, code: (await create({ proof })).code }).toEqual({ form, code: 'pop_proof_invalid' })
    expectServed(binding, await create({ proof: good }))
  })

  test('[POP-043] [POP-054] what is signed with the public key as a secret, with RSA or not at all is refused', async () => {
    const own = binding.proof('usp_bookings_create', { note: 'x' }, { key: ed, header: { alg: 'HS256' } })
    const unsigned = own.slice(0, own.lastIndexOf('.'))
    const hmac = createHmac('sha256', JSON.stringify(ed.jwk)).update(unsigned).digest('base64url')
    expectRefused(binding, await create({ proof: `${unsigned}.${hmac}` }), 'pop_proof_invalid')

    const ask = { key: ed, header: { alg: 'RS256', jwk: rsaJwk } }
    const withRsa = binding.proof('usp_bookings_create', { note: 'x' }, ask).split('.').slice(0, 2).join('.')
    const signature = sign('sha256', Buffer.from(withRsa), rsa.privateKey).toString('base64url')
    expectRefused(binding, await create({ proof: `${withRsa}.${signature}` }), 'pop_proof_invalid')

    const none = binding.proof('usp_bookings_create', { note: 'x' }, { key: ed, header: { alg: 'none' } })
    expectRefused(binding, await create({ proof: none.replace(/[^.]*$/, '') }), 'pop_proof_invalid')
  })

  test('[POP-039] an address in the header of a proof is not fetched', async () => {
    await create({})
    const before = platform.fetched
    await create({ header: { jku: platform.url } })
    expect(platform.fetched).toBe(before)
  })
})
