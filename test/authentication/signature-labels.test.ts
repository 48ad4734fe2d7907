import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { restProof, testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import {
  changed,
  neededComponents,
  ORIGIN,
  type Outgoing,
  published,
  type Signing,
  send,
  signed,
  stored,
  subscribing,
} from '../support/sign.ts'

const server = await testServer(businessWith([service('svc_a')]))
const [key, second, stranger] = [testKey('ES256'), testKey('EdDSA'), testKey()]
const platform = await testPlatform({ keys: [published('k1', key), published('k2', second)] })
const parameters = ';keyid="k1"'
const plain = subscribing(platform)

/** One label each, by what is the matter with it. */
const kinds: Record<string, Omit<Signing, 'label'>> = {
  right: { key: key.private, parameters },
  alsoRight: { key: second.private, parameters: ';keyid="k2"' },
  bare: { key: key.private, parameters, components: ['@method', '@authority', '@path'] },
  forged: { key: stranger.private, parameters },
  unknown: { key: stranger.private, parameters: ';created=1;keyid="proxy-key"' },
  expired: { key: key.private, parameters: `${parameters};expires=1` },
  odd: { key: key.private, parameters, components: [...neededComponents(plain), '@created'] },
}
const signedBy = (...labels: string[]) =>
  labels.reduce((outgoing, label) => {
    const kind = kinds[label]
    if (!kind) throw new Error(`There is no kind ${label}`)
    return signed(outgoing, { ...kind, label: label.toLowerCase() })
  }, plain)

const told = async (outgoing: Outgoing) => {
  const before = await stored(server)
  const { status, body } = await send(server, outgoing)
  if (status !== 201) expect(await stored(server)).toEqual(before)
  return status === 201 ? 'accepted' : `${status} ${body.code}`
}

const swapped = (outgoing: Outgoing, name: 'signature' | 'signature-input') =>
  changed(outgoing, { [name]: String(outgoing.headers[name]).split(', ').reverse().join(', ') })

test.each(['alsoRight', 'bare', 'forged', 'unknown', 'expired', 'odd'])(
  '[SIG-038] a right label beside one that is %s passes, in whatever order they stand',
  async (other) => {
    for (const outgoing of [signedBy('right', other), signedBy(other, 'right')]) {
      expect(await told(outgoing)).toBe('accepted')
      expect(await told(swapped(outgoing, 'signature'))).toBe('accepted')
      expect(await told(swapped(outgoing, 'signature-input'))).toBe('accepted')
    }
  },
)

test('[SIG-038] a right label passes among several foreign ones, first, between and last', async () => {
  for (const labels of [
    ['right', 'unknown', 'forged', 'bare'],
    ['unknown', 'right', 'forged', 'bare'],
    ['unknown', 'forged', 'bare', 'right'],
  ])
    expect(await told(signedBy(...labels))).toBe('accepted')
})

test('[SIG-038] what a label is called does not matter', async () => {
  for (const label of ['a', 'sig1', '*', 'usp_signature', 'x.y-z*', 'constructor'])
    expect(await told(signed(plain, { key: key.private, parameters, label }))).toBe('accepted')
})

test.each([
  [['bare'], '401 signature_missing'],
  [['forged'], '401 signature_invalid'],
  [['unknown'], '401 key_not_found'],
  [['expired'], '401 signature_expired'],
  [['odd'], '401 signature_invalid'],
  [['bare', 'forged'], '401 signature_invalid'],
  [['forged', 'bare'], '401 signature_missing'],
  [['bare', 'odd'], '401 signature_invalid'],
  [['expired', 'bare'], '401 signature_missing'],
  [['bare', 'forged', 'expired'], '401 signature_expired'],
])('[SIG-039] labels %j do not help each other', async (labels, code) => {
  expect(await told(signedBy(...labels))).toBe(code)
})

test('[SIG-039] two labels that together cover everything leave the request unsigned', async () => {
  const [method = '', authority = '', path = '', ...rest] = neededComponents(plain)
  const half = signed(plain, { key: key.private, parameters, label: 'one', components: [method, authority, path] })
  const whole = signed(half, { key: key.private, parameters, label: 'two', components: rest })
  expect(await told(whole)).toBe('401 signature_missing')
})

test('[SIG-039] a signature counts for its own label alone', async () => {
  const both = signedBy('bare', 'right')
  const [bare = '', right = ''] = String(both.headers.signature).split(', ')
  const [bareInput = '', rightInput = ''] = String(both.headers['signature-input']).split(', ')
  const value = (member: string) => member.slice(member.indexOf('=') + 1)
  const crossed = `bare=${value(right)}, right=${value(bare)}`
  expect(await told(changed(both, { signature: crossed }))).toBe('401 signature_invalid')
  expect(await told(changed(both, { signature: bare }))).toBe('401 signature_invalid')
  expect(await told(changed(both, { signature: right, 'signature-input': bareInput }))).toBe('401 signature_missing')
  expect(await told(changed(both, { signature: right, 'signature-input': rightInput }))).toBe('accepted')
})

test('[SIG-039] of a label given twice the last counts, as structured fields have it', async () => {
  const right = { key: key.private, parameters, label: 'sig' }
  const forged = { ...right, key: stranger.private }
  expect(await told(signed(signed(plain, right), forged))).toBe('401 signature_invalid')
  expect(await told(signed(signed(plain, forged), right))).toBe('accepted')
  const uncovered = { ...right, components: ['@method'] }
  expect(await told(signed(signed(plain, right), uncovered))).toBe('401 signature_missing')
})

describe('beside a valid proof', () => {
  const proof = () => restProof(testKey(), 'POST', ORIGIN + plain.target, server.time.now)
  const proven = (outgoing: Outgoing, headers: Record<string, string | undefined> = {}) =>
    told(changed(outgoing, { dpop: proof(), ...headers }))

  test.each([
    ['forged', '401 signature_invalid'],
    ['expired', '401 signature_expired'],
    ['unknown', '401 key_not_found'],
    ['bare', '401 signature_missing'],
  ])('[SIG-038] a signature that is %s ends the call', async (kind, answer) => {
    expect(await proven(signedBy(kind))).toBe(answer)
  })

  test('[SIG-038] a Signature without Signature-Input ends the call, and so does one that cannot be parsed', async () => {
    const whole = signedBy('right')
    expect(await proven(whole, { 'signature-input': undefined })).toBe('401 signature_missing')
    expect(await proven(whole, { signature: undefined })).toBe('401 signature_missing')
    expect(await proven(whole, { signature: 'right=:' })).toBe('401 signature_invalid')
  })

  test('[SIG-038] a right signature passes', async () => {
    expect(await proven(signedBy('right'))).toBe('accepted')
  })
})
