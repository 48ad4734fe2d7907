import { sign as signBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import {
  changed,
  digestOf,
  neededComponents,
  type Outgoing,
  published,
  type Signing,
  send,
  signed,
  stored,
  subscribing,
} from '../support/sign.ts'

const server = await testServer(businessWith([service('svc_a')]))
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const full = () => {
  const plain = changed(subscribing(platform), { 'idempotency-key': 'retry-1' })
  return { ...plain, target: `${plain.target}?trace=1` }
}
const sign = (outgoing: Outgoing, more: Partial<Signing> = {}) =>
  signed(outgoing, { key: key.private, parameters: ';keyid="k1"', ...more })

const refused = async (outgoing: Outgoing) => {
  const before = await stored(server)
  const { status, body } = await send(server, outgoing)
  expect(await stored(server)).toEqual(before)
  expect(body.mechanism).toBe('http_message_signature')
  return [status, body.code]
}
const missing = [401, 'signature_missing']
const invalid = [401, 'signature_invalid']

test.each(['signature', 'signature-input'])(
  '[SIG-015] [ERR-059] [ERR-065] %s stripped leaves no signature',
  async (name) => {
    expect(await refused(changed(sign(full()), { [name]: undefined }))).toEqual(missing)
  },
)

test('[SIG-015] [ERR-065] two empty headers are no signature', async () => {
  expect(await refused(changed(full(), { signature: '', 'signature-input': '' }))).toEqual(missing)
})

const right = sign(full()).headers
test.each([
  ['signature-input', 'sig'],
  ['signature-input', 'sig='],
  ['signature-input', 'sig="text"'],
  ['signature-input', 'sig=:AAAA:'],
  ['signature-input', 'sig=("@method"'],
  ['signature-input', 'sig=("@method)'],
  ['signature-input', "sig=('@method')"],
  ['signature-input', `${right['signature-input']},`],
  ['signature-input', `Sig=${right['signature-input']?.slice('sig='.length)}`],
  ['signature-input', '{"sig":1}'],
  ['signature', 'sig'],
  ['signature', 'sig=AAAA'],
  ['signature', 'sig="AAAA"'],
  ['signature', 'sig=:AAAA'],
  ['signature', 'sig=:A-_A:'],
  ['signature', 'sig=(:AAAA:)'],
  ['signature', 'sig=::'],
  ['signature', `${right.signature},`],
  ['signature', `${right.signature}, other=:`],
])('[SIG-016] [ERR-060] [ERR-065] %s: %s is no structured field of the kind', async (name, value) => {
  expect(await refused(changed(full(), { ...right, [name]: value }))).toEqual(invalid)
})

test('[SIG-017] one flipped bit breaks the signature, wherever it is', async () => {
  for (let bit = 0; bit < 512; bit += 31) {
    const make = (base: string) => {
      const bytes = signBytes('sha256', Buffer.from(base), { key: key.private, dsaEncoding: 'ieee-p1363' })
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      return bytes
    }
    expect(await refused(sign(full(), { make }))).toEqual(invalid)
  }
})

test.each<[string, (outgoing: Outgoing) => Outgoing]>([
  ['method', (one) => ({ ...one, method: 'DELETE', target: one.target.replace('?', '/sub_x?') })],
  ['path', (one) => ({ ...one, target: one.target.replace('?', '/sub_x/pause?') })],
  ['query', (one) => ({ ...one, target: one.target.replace('trace=1', 'trace=2') })],
  ['order of the query', (one) => ({ ...one, target: `${one.target}&other=1` })],
  ['content type', (one) => changed(one, { 'content-type': 'application/json; charset=utf-8' })],
  ['idempotency key', (one) => changed(one, { 'idempotency-key': 'retry-2' })],
  ['agent', (one) => changed(one, { 'usp-agent': `${one.headers['usp-agent']};v=2` })],
  ['digest', (one) => changed(one, { 'content-digest': `${digestOf(one.body)}, md5=:AAAA:` })],
  ['created', (one) => changed(one, { 'signature-input': `${one.headers['signature-input']};created=1` })],
])('[SIG-018] changing the %s after signing breaks the signature', async (_, change) => {
  expect(await refused(change(sign(full())))).toEqual(invalid)
})

test('[SIG-018] a signature for another host is none for this one', async () => {
  for (const origin of ['http://elsewhere.example', 'http://127.0.0.1:8081', 'http://127.0.0.1'])
    expect(await refused(sign(full(), { origin }))).toEqual(invalid)
})

test('[SIG-018] taking away a covered header breaks the signature', async () => {
  for (const name of ['idempotency-key', 'content-digest'])
    expect((await refused(changed(sign(full()), { [name]: undefined })))[0]).toBe(401)
  expect(await refused(changed(sign(full()), { 'idempotency-key': undefined }))).toEqual(invalid)
})

test('[SIG-019] an ECDSA signature counts in its fixed-width form alone', async () => {
  const der = (base: string) => signBytes('sha256', Buffer.from(base), { key: key.private, dsaEncoding: 'der' })
  const flat = (base: string) => signBytes('sha256', Buffer.from(base), { key: key.private, dsaEncoding: 'ieee-p1363' })
  expect(await refused(sign(full(), { make: der }))).toEqual(invalid)
  expect(await refused(sign(full(), { make: (base) => Buffer.concat([flat(base), Buffer.alloc(1)]) }))).toEqual(invalid)
  expect(await refused(sign(full(), { make: (base) => flat(base).subarray(0, 63) }))).toEqual(invalid)
  expect(await refused(sign(full(), { make: () => Buffer.alloc(64) }))).toEqual(invalid)
  expect((await send(server, sign(subscribing(platform), { make: flat }))).status).toBe(201)
})

test('[SIG-036] created is a parameter; listed as a component it makes the signature invalid', async () => {
  const parameters = ';created=1795176000;keyid="k1"'
  for (const name of ['@created', '@expires']) {
    const components = [...neededComponents(full()), name]
    expect(await refused(sign(full(), { components, parameters, values: { [name]: '1795176000' } }))).toEqual(invalid)
  }
})

test('[SIG-037] a component listed twice makes the signature invalid', async () => {
  for (const twice of ['@method', 'content-digest', 'usp-agent', '"usp-agent";sf'])
    expect(await refused(sign(full(), { components: [twice, ...neededComponents(full()), twice] }))).toEqual(invalid)
})
