import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { signatureAgentOf } from '../../src/core/authentication/verify-bot-signature.ts'
import { type PublicJwk, thumbprintOf, verificationKey } from '../../src/core/keys/public-keys.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { recognizeAgents } from '../../src/interfaces/http/recognize-network-peer.ts'

/** The vectors of draft-meunier-webbotauth-httpsig-protocol, with the keys of RFC 9421, Appendix B.1. */
const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }
const rsaPss = {
  kty: 'RSA',
  alg: 'PS512',
  e: 'AQAB',
  n: 'r4tmm3r20Wd_PbqvP1s2-QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct-Lh1GH45x28Rw3Ry53mm-oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL-Wokqltd11nqqzi-bJ9cvSKADYdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d-nb4bnNkQVklLQ3fVAvJm-xdDOp9LCNCN48V2pnDOkFV6-U9nV5oyc6XI2w',
}

const AGENT = 'https://signature-agent.test'
const member = {
  'signature-agent': `agent2="${AGENT}"`,
  'signature-input':
    'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"',
  signature: 'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
}
const vectors: [string, Record<string, string>][] = [
  ['Ed25519', member],
  [
    'Ed25519, as older drafts have it',
    {
      'signature-agent': `"${AGENT}"`,
      'signature-input':
        'sig2=("@authority" "signature-agent");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=1735693200;nonce="e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==";tag="web-bot-auth"',
      signature: 'sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:',
    },
  ],
  [
    'RSASSA-PSS',
    {
      'signature-agent': `agent2="${AGENT}"`,
      'signature-input':
        'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="oD0HwocPBSfpNy5W3bpJeyFGY_IQ_YpqxSjQ3Yd-CLA";alg="rsa-pss-sha512";expires=4889289600;nonce="wcfPQPh7SzkvrIVvhD00vNk9PkxJNY2NVbYl2PVBB4zmUoluSwE7W6bPtF60QA3k8g06FU7PPCD+J58YofY1zg==";tag="web-bot-auth"',
      signature:
        'sig2=:gHzpLNeHaHIO19NaJH9YMW5dcVSi2s0wOMBr6p18vcofS106sfC4KBIS0/szPlBBd1vIcyQ88B6CTEWIhRAiVrb9zfX0mx1aG12CSGWcYkSirHeyTxhbuJvXd27ed6skWoy4PjXItq38936ivUQjfdIwXh1aX6HxkAC3vRnEdSNfntkLWeEuIQ5BLIOBGE39fSwg27Qjq6OVWYas/9/aFUr3HA34MXWYdp+//cvlEKDp3kRoLOw9ro0AOr6srHrTeEtxon2afcws1aZVSlPdd2fZSEIGmw9HAHLDCEkFTERu1gH2k/zIEqgy7CAYXI9E5slog0cLg/Vc6+f8gih33g==:',
    },
  ],
]

/** Whose agent it is where just this origin publishes these keys. */
function agentOf(
  headers: Record<string, string>,
  {
    at = AGENT,
    to = 'https://example.com',
    now = '2025-01-01T00:10:00Z',
    method = 'GET',
    jwks = [ed25519, rsaPss] as PublicJwk[],
  } = {},
) {
  const key = (origin: string, thumbprint: string) => {
    const jwk = origin === at ? jwks.find((one) => thumbprintOf(one) === thumbprint) : undefined
    return jwk && verificationKey(jwk)
  }
  const http = { method, target: '/path/to/resource', body: Buffer.alloc(0) }
  const request = { headers: { host: 'example.com', ...headers }, http, peer: { address: '192.0.2.1' } }
  return signatureAgentOf(request, {
    config: readConfig({ BASE_URL: to }),
    clock: () => new Date(now),
    directories: { key },
  })
}

test.each(vectors)('[whose agent it is] the vector of %s', (_, headers) => {
  expect(agentOf(headers)).toBe('signature-agent.test')
})

test('[whose agent it is] a member says where the key is in any of its forms, and others beside it say nothing', () => {
  expect(agentOf({ ...member, 'signature-agent': `other="https://other.test", agent2="${AGENT}"` })).toBe(
    'signature-agent.test',
  )
  expect(agentOf({ ...member, 'signature-agent': `agent2="${AGENT}";type=directory` })).toBeUndefined()
})

test.each<[string, Record<string, string>, Parameters<typeof agentOf>[1]]>([
  ['nothing is signed', { 'signature-agent': member['signature-agent'] }, {}],
  ['nobody is named', { 'signature-input': member['signature-input'], signature: member.signature }, {}],
  ['it was sent to another', member, { to: 'https://other.test' }],
  ['somebody else is named', { ...member, 'signature-agent': 'agent2="https://other.test"' }, {}],
  ['the key is published by somebody else', member, { at: 'https://other.test' }],
  ['the key is published no more', member, { jwks: [rsaPss] }],
  ['it is older than a day', member, { now: '2025-01-02T00:00:01Z' }],
  ['it is from the future', member, { now: '2024-12-31T23:58:00Z' }],
  ['it has expired', vectors[1]?.[1] ?? {}, { now: '2025-01-01T01:00:01Z' }],
  [
    'it is meant for something else',
    { ...member, 'signature-input': member['signature-input'].replace('web-bot-auth', 'usp') },
    {},
  ],
  [
    'its algorithm is another',
    { ...member, 'signature-input': member['signature-input'].replace('ed25519', 'rsa-pss-sha512') },
    {},
  ],
  [
    'it says nothing of its end',
    { ...member, 'signature-input': member['signature-input'].replace(';expires=4889289600', '') },
    {},
  ],
  [
    'it leaves open to whom',
    { ...member, 'signature-input': member['signature-input'].replace('"@authority" ', '') },
    {},
  ],
  [
    'it leaves open who',
    { ...member, 'signature-input': member['signature-input'].replace(' "signature-agent";key="agent2"', '') },
    {},
  ],
  ['a bit is changed', { ...member, signature: member.signature.replace('RdNF', 'RdNG') }, {}],
  ['no URL is named', { ...member, 'signature-agent': 'agent2="signature-agent.test"' }, {}],
  ['a path is named', { ...member, 'signature-agent': `agent2="${AGENT}/keys"` }, { at: `${AGENT}/keys` }],
  [
    'it is not https',
    { ...member, 'signature-agent': 'agent2="http://signature-agent.test"' },
    { at: 'http://signature-agent.test' },
  ],
  ['keys are published in another way', { ...member, 'signature-agent': `agent2="${AGENT}";type=jwks_uri` }, {}],
  ['it cannot be read', { ...member, 'signature-agent': '(' }, {}],
  ['the signature cannot be read', { ...member, signature: 'sig2=1' }, {}],
])('[whose agent it is] nobody is recognised where %s', (_, headers, at) => {
  expect(agentOf(headers, at)).toBeUndefined()
})

test('[no crowd stalls the server] signatures of bots that come at once are judged by turns with everybody else', async () => {
  const crowd = 600
  let [judged, most] = [0, 0]
  const key = () => {
    if (judged === 0)
      setImmediate(() => {
        judged = 0
      })
    most = Math.max(most, ++judged)
    return verificationKey(ed25519)
  }
  const app = Fastify()
  app.decorateRequest('peer', { getter: () => ({ address: '192.0.2.1' }) })
  recognizeAgents(app, {
    config: readConfig({ BASE_URL: 'https://example.com' }),
    clock: () => new Date('2025-01-01T00:10:00Z'),
    directories: { key },
  })
  app.get('/', (request) => request.signatureAgent)
  const headers = { host: 'example.com', ...member }
  const answers = await Promise.all(Array.from({ length: crowd }, () => app.inject({ url: '/', headers })))
  expect(new Set(answers.map(({ body }) => body))).toEqual(new Set(['signature-agent.test']))
  // One takes a fifth of a millisecond and more, and all together may take ten of a turn.
  expect(most).toBeLessThan(crowd / 3)
  await app.close()
})
