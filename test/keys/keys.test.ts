import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verificationKey } from '../../src/core/keys/public-keys.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Platform, testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { published, send, signatureBy, signed, stored, subscribing } from '../support/sign.ts'

const server = await testServer(businessWith([service('svc_a')]))

const call = async (platform: Platform, key: KeyObject, parameters: string) => {
  const { status, body } = await send(server, signed(subscribing(platform), { key, parameters }))
  return [status, body.code]
}
const accepted = [201, undefined]
const notFound = [401, 'key_not_found']
const invalid = [401, 'signature_invalid']
const unsupported = [400, 'algorithm_unsupported']

describe('which key a keyid names', () => {
  test('[SIG-025] [ERR-061] a keyid that the profile has nowhere is not found', async () => {
    const key = testKey()
    const platform = await testPlatform({ keys: [published('k1', key)], signing_keys: [published('k1', key)] })
    for (const keyid of ['k2', 'K1', '', 'k1 ', key.thumbprint])
      expect(await call(platform, key.private, `;keyid="${keyid}"`)).toEqual(notFound)
    expect(await call(await testPlatform(), key.private, ';keyid="k1"')).toEqual(notFound)
    expect(await call(platform, key.private, ';keyid="k1"')).toEqual(accepted)
  })

  test('[SIG-026] a signature that names no key, or not by a string, finds none', async () => {
    const key = testKey()
    const platform = await testPlatform({ keys: [published('k1', key), published('1', key)] })
    for (const parameters of ['', ';created=1', ';keyid', ';keyid=k1', ';keyid=1', ';keyid=:azE=:'])
      expect([parameters, ...(await call(platform, key.private, parameters))]).toEqual([parameters, ...notFound])
  })

  test('[SIG-027] a key of one platform does not sign for another', async () => {
    const [mine, theirs] = [testKey(), testKey()]
    const own = await testPlatform({ keys: [published('mine', mine), published('same', mine)] })
    const other = await testPlatform({ keys: [published('theirs', theirs), published('same', theirs)] })
    const before = await stored(server)
    expect(await call(other, mine.private, ';keyid="mine"')).toEqual(notFound)
    expect(await call(other, mine.private, ';keyid="same"')).toEqual(invalid)
    expect(await stored(server)).toEqual(before)
    expect(await call(own, mine.private, ';keyid="same"')).toEqual(accepted)
  })

  test('[PRO-065] keys is looked into first, signing_keys only for what is missing there', async () => {
    const [first, second, older] = [testKey(), testKey(), testKey()]
    const platform = await testPlatform({
      keys: [published('both', first), { kid: 'odd', kty: 'EC', crv: 'P-521', x: 'AA', y: 'AA' }],
      signing_keys: [published('both', second), published('odd', second), published('old', older)],
    })
    expect(await call(platform, first.private, ';keyid="both"')).toEqual(accepted)
    expect(await call(platform, second.private, ';keyid="both"')).toEqual(invalid)
    expect(await call(platform, second.private, ';keyid="odd"')).toEqual(unsupported)
    expect(await call(platform, older.private, ';keyid="old"')).toEqual(accepted)
  })

  test('[PRO-066] every key of a profile signs for it', async () => {
    const keys = [testKey('ES256'), testKey('EdDSA'), testKey('ES256')]
    const platform = await testPlatform({ keys: keys.map((key, index) => published(`k${index}`, key)) })
    for (const [index, key] of keys.entries()) {
      expect(await call(platform, key.private, `;keyid="k${index}"`)).toEqual(accepted)
      expect(await call(platform, key.private, `;keyid="k${(index + 2) % 3}"`)).toEqual(invalid)
    }
  })

  test('[SIG-025] a key for encryption is none to sign with', async () => {
    const key = testKey()
    const platform = await testPlatform({ keys: [published('k1', key, { use: 'enc' })] })
    expect(await call(platform, key.private, ';keyid="k1"')).toEqual(notFound)
  })

  test('[SIG-025] a key that was added after the profile was read is fetched and then found', async () => {
    const [old, young] = [testKey(), testKey()]
    const platform = await testPlatform({ keys: [published('old', old)] })
    expect(await call(platform, old.private, ';keyid="old"')).toEqual(accepted)
    platform.profile = { ...platform.profile, keys: [published('young', young)] }
    expect(await call(platform, young.private, ';keyid="young"')).toEqual(accepted)
    expect(await call(platform, old.private, ';keyid="old"')).toEqual(notFound)
    expect(platform.fetched).toBe(2)
  })
})

describe('which kinds of key verify', () => {
  test('[SIG-030] ES256 verifies where signatures are the one accepted mechanism', async () => {
    const strict = await testServer(
      businessWith([service('svc_a')], { authorization: { accepted_mechanisms: ['http_message_signature'] } }),
    )
    const key = testKey('ES256')
    const platform = await testPlatform({ keys: [published('k1', key)] })
    const outgoing = signed(subscribing(platform), { key: key.private, parameters: ';keyid="k1"' })
    expect((await send(strict, outgoing)).status).toBe(201)
    const { body } = await strict.rest('GET', '/.well-known/usp')
    expect(body.authorization.accepted_mechanisms).toEqual(['http_message_signature'])
  })

  test.each([
    ['ES384', () => generateKeyPairSync('ec', { namedCurve: 'P-384' })],
    ['Ed25519', () => generateKeyPairSync('ed25519')],
  ])('[SIG-031] %s verifies as well', async (alg, make) => {
    const { privateKey, publicKey } = make()
    const jwk = publicKey.export({ format: 'jwk' })
    const platform = await testPlatform({
      keys: [
        { kid: 'bare', ...jwk },
        { kid: 'named', ...jwk, alg },
      ],
    })
    expect(await call(platform, privateKey, ';keyid="bare"')).toEqual(accepted)
    expect(await call(platform, privateKey, ';keyid="named"')).toEqual(accepted)
    expect(await call(platform, testKey('ES256').private, ';keyid="bare"')).toEqual(invalid)
  })

  const rsa = (bits: number) => generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' })
  const p256 = testKey('ES256').jwk
  const strange: [string, object][] = [
    ['ES512', generateKeyPairSync('ec', { namedCurve: 'P-521' }).publicKey.export({ format: 'jwk' })],
    ['ES256K', generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey.export({ format: 'jwk' })],
    ['Ed448', generateKeyPairSync('ed448').publicKey.export({ format: 'jwk' })],
    ['X25519', generateKeyPairSync('x25519').publicKey.export({ format: 'jwk' })],
    ['a short RSA key', rsa(1024)],
    ['an RSA key of 8,192 bits', { ...rsa(2048), n: `${'v'.repeat(1_365)}w` }],
    ['an RSA key with a long exponent', { ...rsa(2048), e: '_________w8' }],
    ['a shared secret', { kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' }],
    ['an unknown kty', { kty: 'LATTICE', x: 'AA' }],
    ['an unknown crv', { ...p256, crv: 'P-1' }],
    ['a crv that every object has', { ...p256, crv: 'constructor' }],
    ['a kty that every object has', { ...p256, kty: 'constructor' }],
    ['an unknown alg', { ...p256, alg: 'ES9' }],
    ['an alg of another kind', { ...p256, alg: 'EdDSA' }],
    ['alg none', { ...p256, alg: 'none' }],
    ['a curve without a point', { kty: 'EC', crv: 'P-256' }],
    ['a point off its curve', { ...p256, y: p256.x }],
    ['a point that is no base64', { ...p256, x: '%%%', y: '' }],
    ['an OKP key said to be EC', { ...testKey('EdDSA').jwk, kty: 'EC' }],
  ]
  test.each(strange)('[SIG-028] [PRO-063] [ERR-064] %s is not supported, and hinders no other key', async (_, jwk) => {
    const usable = testKey('ES256')
    const twin = testKey('ES256')
    const platform = await testPlatform({
      keys: [{ kid: 'odd', ...jwk }, { kid: 'twin', ...jwk }, published('twin', twin), published('k1', usable)],
    })
    const before = await stored(server)
    expect(await call(platform, usable.private, ';keyid="odd"')).toEqual(unsupported)
    expect(await stored(server)).toEqual(before)
    expect(await call(platform, usable.private, ';keyid="k1"')).toEqual(accepted)
    expect(await call(platform, twin.private, ';keyid="twin"')).toEqual(accepted)
  })

  test.each([
    [
      'ES256',
      'ecdsa-p256-sha256',
      ['ecdsa-p384-sha384', 'ed25519', 'hmac-sha256', 'rsa-v1_5-sha256', 'ES256', 'none', ''],
    ],
    ['EdDSA', 'ed25519', ['ecdsa-p256-sha256', 'hmac-sha256', 'rsa-pss-sha512', 'EdDSA', 'Ed25519']],
  ] as const)(
    '[SIG-029] with a key of %s an alg parameter other than %s is refused, and none is needed',
    async (kind, right, wrong) => {
      const key = testKey(kind)
      const platform = await testPlatform({ keys: [published('k1', key)] })
      for (const alg of wrong) expect(await call(platform, key.private, `;keyid="k1";alg="${alg}"`)).toEqual(invalid)
      expect(await call(platform, key.private, `;keyid="k1";alg=${right}`)).toEqual(invalid)
      expect(await call(platform, key.private, `;alg="${right}";keyid="k1"`)).toEqual(accepted)
      expect(await call(platform, key.private, ';keyid="k1"')).toEqual(accepted)
    },
  )

  test('[SIG-030] a signature of another ES256 key, even of equal length, does not verify', async () => {
    const key = testKey('ES256')
    const platform = await testPlatform({ keys: [published('k1', key)] })
    const make = (base: string) => signatureBy(testKey('ES256').private, base)
    const { status, body } = await send(
      server,
      signed(subscribing(platform), { key: key.private, parameters: ';keyid="k1"', make }),
    )
    expect([status, body.code]).toEqual(invalid)
  })
})

test('[keys fill no memory] an RSA key that is larger than any in use is none', () => {
  const rsa = (characters: number, e = 'AQAB') => ({ kty: 'RSA', e, n: `w${'A'.repeat(characters - 2)}Q` })
  expect(verificationKey(rsa(342))).toBeDefined()
  expect(verificationKey(rsa(683))).toBeDefined()
  expect(verificationKey(rsa(1_366))).toBeUndefined()
  expect(verificationKey(rsa(200_000))).toBeUndefined()
  expect(verificationKey(rsa(342, 'A'.repeat(200_000)))).toBeUndefined()
})
