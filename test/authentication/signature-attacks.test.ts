import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign as signBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import {
  changed,
  type Outgoing,
  published,
  type Signing,
  send,
  signatureBy,
  signed,
  stored,
  subscribing,
} from '../support/sign.ts'

/** What an attacker makes of the headers, of the algorithm and of the numbers in a signature. */
const server = await testServer(businessWith([service('svc_a')]))
const [key, edwards, secret] = [testKey('ES256'), testKey('EdDSA'), testKey('ES256')]
const platform = await testPlatform({
  keys: [published('k1', key), published('ed', edwards), published('enc', secret, { use: 'enc' })],
})
const other = await testPlatform({ keys: [published('theirs', testKey())] })
const plain = subscribing(platform)
const sign = (more: Partial<Signing> = {}, outgoing = plain) =>
  signed(outgoing, { key: key.private, parameters: ';keyid="k1"', ...more })
const made = (make: (base: string) => Buffer, keyid = 'k1') => sign({ make, parameters: `;keyid="${keyid}"` })
const by = (privateKey: KeyObject, keyid = 'k1') => made((base) => signatureBy(privateKey, base), keyid)
const withInput = (change: (input: string) => string, outgoing = sign()) =>
  changed(outgoing, { 'signature-input': change(String(outgoing.headers['signature-input'])) })
const pem = createPublicKey(key.private).export({ type: 'spki', format: 'pem' })
const der = createPublicKey(key.private).export({ type: 'spki', format: 'der' })
const ecKey = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
const many = (count: number, one: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => one(i)).join(', ')
const now = 1795176000
const ORDER = Buffer.from('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551', 'hex')

const missing = '401 signature_missing'
const invalid = '401 signature_invalid'
const expired = '401 signature_expired'
const notFound = '401 key_not_found'

const attacks: [string, string, Outgoing, string][] = [
  ['SIG-015', 'both headers stripped', plain, '401 authentication_required'],
  [
    'SIG-015',
    'Signature stripped, a bearer token in its place',
    changed(sign(), { signature: undefined, authorization: 'Bearer x' }),
    missing,
  ],
  [
    'SIG-017',
    'a forged signature with a bearer token to fall back on',
    changed(by(secret.private), { authorization: 'Bearer x' }),
    invalid,
  ],
  ['SIG-015', 'an empty Signature', changed(sign(), { signature: '' }), invalid],
  ['SIG-015', 'an empty Signature-Input', changed(sign(), { 'signature-input': '' }), missing],
  [
    'SIG-016',
    'the label of Signature renamed',
    changed(sign(), { signature: sign({ label: 'b' }).headers.signature }),
    invalid,
  ],
  ['SIG-016', 'a Signature-Input that is folded', withInput((input) => input.replace(' ', '\t')), invalid],
  [
    'SIG-018',
    'the components in another order than signed',
    withInput((input) => input.replace('"@method" "@authority"', '"@authority" "@method"')),
    invalid,
  ],
  ['SIG-018', 'the keyid of another key of the profile', withInput((input) => input.replace('k1', 'ed')), invalid],
  ['SIG-018', 'a nonce added', withInput((input) => `${input};nonce="x"`), invalid],
  ['SIG-018', 'a second keyid that wins', withInput((input) => `${input};keyid="ed"`), invalid],
  [
    'SIG-018',
    'parameters in another order',
    withInput(
      (input) => input.replace(';created=1;keyid="k1"', ';keyid="k1";created=1'),
      sign({ parameters: ';created=1;keyid="k1"' }),
    ),
    invalid,
  ],
  [
    'SIG-027',
    'the agent header of another platform',
    changed(sign(), { 'usp-agent': `profile="${other.url}"` }),
    notFound,
  ],
  [
    'SIG-027',
    'a second profile in the agent header',
    changed(sign(), { 'usp-agent': `${plain.headers['usp-agent']}, profile="${other.url}"` }),
    notFound,
  ],
  ['SIG-025', 'the keyid of a key for encryption', by(secret.private, 'enc'), notFound],
  ['SIG-025', 'a keyid with a wildcard', by(key.private, '*'), notFound],
  ['SIG-025', 'a keyid that every object has', by(key.private, '__proto__'), notFound],
  ['SIG-025', 'a keyid that is an address', by(key.private, 'https://127.0.0.1:1/key'), notFound],
  ['SIG-016', 'a keyid that is not ASCII', by(key.private, 'clé'), invalid],
  ['SIG-025', 'a keyid of 8000 characters', by(key.private, 'k'.repeat(8000)), notFound],
  ['SIG-019', 'DER', made((base) => signBytes('sha256', Buffer.from(base), key.private)), invalid],
  ['SIG-019', 'r and s of zero', made(() => Buffer.alloc(64)), invalid],
  ['SIG-019', 'r and s of the order of the curve', made(() => Buffer.concat([ORDER, ORDER])), invalid],
  ['SIG-019', 'a zero signature by Ed25519', made(() => Buffer.alloc(64), 'ed'), invalid],
  ['SIG-019', 'a signature of 100 kB', made(() => Buffer.alloc(100_000, 7)), invalid],
  ['SIG-029', 'a curve of 384 bits', by(ecKey('P-384')), invalid],
  ['SIG-029', 'another curve of 256 bits', by(ecKey('secp256k1')), invalid],
  [
    'SIG-029',
    'SHA-384 over the right curve',
    made((base) => signBytes('sha384', Buffer.from(base), { key: key.private, dsaEncoding: 'ieee-p1363' })),
    invalid,
  ],
  ['SIG-029', 'Ed25519 for an EC key', by(edwards.private), invalid],
  ['SIG-029', 'ECDSA for an Ed25519 key', by(key.private, 'ed'), invalid],
  ...[pem, der].map((shared): [string, string, Outgoing, string] => [
    'SIG-029',
    `HMAC with the public key as its secret, as ${typeof shared === 'string' ? 'PEM' : 'DER'}`,
    sign({
      make: (base) => createHmac('sha256', shared).update(base).digest(),
      parameters: ';keyid="k1";alg="hmac-sha256"',
    }),
    invalid,
  ]),
  [
    'SIG-029',
    'alg none and no signature',
    sign({ make: () => Buffer.alloc(0), parameters: ';keyid="k1";alg="none"' }),
    invalid,
  ],
  ['SIG-033', 'a created of 64 bits', sign({ parameters: ';created=9223372036854775807;keyid="k1"' }), invalid],
  ['SIG-035', 'an expires of 64 bits', sign({ parameters: ';expires=9223372036854775807;keyid="k1"' }), invalid],
  ['SIG-035', 'a negative expires', sign({ parameters: ';expires=-1;keyid="k1"' }), expired],
  ['SIG-035', 'the smallest expires', sign({ parameters: ';expires=-999999999999999;keyid="k1"' }), expired],
  ['SIG-035', 'a second expires that wins', sign({ parameters: `;keyid="k1";expires=${now + 60};expires=1` }), expired],
  ['SIG-035', 'an expires that is text', sign({ parameters: ';expires="1";keyid="k1"' }), invalid],
  ['SIG-035', 'an expires that is a date', sign({ parameters: ';expires=@1;keyid="k1"' }), invalid],
  ['SIG-035', 'an expires that is a flag', sign({ parameters: ';expires;keyid="k1"' }), invalid],
  ['SIG-033', 'a created that is text', sign({ parameters: ';created="1";keyid="k1"' }), invalid],
  ['SIG-033', 'a created that is a date', sign({ parameters: ';created=@1;keyid="k1"' }), invalid],
  [
    'SIG-038',
    'hundreds of forged labels',
    changed(plain, {
      signature: many(500, (i) => `l${i}=:AAAA:`),
      'signature-input': many(500, (i) => `l${i}=("@method")`),
    }),
    missing,
  ],
  [
    'SIG-038',
    'hundreds of labels without a signature',
    changed(sign(), { 'signature-input': many(500, (i) => `l${i}=("@method")`) }),
    missing,
  ],
  [
    'SIG-016',
    'a Signature-Input nested without end',
    changed(sign(), { 'signature-input': `sig=${'('.repeat(50_000)}` }),
    invalid,
  ],
  [
    'SIG-016',
    'a Signature-Input of one endless string',
    changed(sign(), { 'signature-input': `sig=("${'a'.repeat(500_000)}` }),
    invalid,
  ],
  ['SIG-016', 'a Signature that is not ASCII', changed(sign(), { signature: 'sig=:é:' }), invalid],
]

test.each(attacks)('[%s] %s authenticates nobody', async (_, __, outgoing, expected) => {
  const before = await stored(server)
  const { status, body } = await send(server, outgoing)
  expect(`${status} ${body.code}`).toBe(expected)
  expect(await stored(server)).toEqual(before)
})

test('[SIG-001] what the attacks are made of is accepted when it is left alone', async () => {
  expect((await send(server, sign())).status).toBe(201)
  expect((await send(server, by(edwards.private, 'ed'))).status).toBe(201)
})
