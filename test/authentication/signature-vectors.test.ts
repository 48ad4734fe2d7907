import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { httpbis, type Request, type Response } from 'http-message-signatures'
import { parseDictionary, serializeItem, serializeList } from 'structured-headers'
import { describe, expect, test } from 'vitest'
import { type PublicJwk, verificationKey } from '../../src/core/keys/public-keys.ts'

/** RFC 9421, Appendix B: keys of B.1, messages of B.2 to B.4. The library makes the base; our keys verify it. */
const jwkOf = (pem: string) =>
  createPublicKey(`-----BEGIN PUBLIC KEY-----\n${pem}\n-----END PUBLIC KEY-----`).export({ format: 'jwk' }) as PublicJwk

const p256 = {
  kty: 'EC',
  crv: 'P-256',
  x: 'qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA',
  y: 'Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0',
}
const ed25519 = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }
const rsaPss = {
  ...jwkOf(
    'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAr4tmm3r20Wd/PbqvP1s2+QEtvpuRaV8Yq40gjUR8y2Rjxa6dpG2GXHbPfvMs8ct+Lh1GH45x28Rw3Ry53mm+oAXjyQ86OnDkZ5N8lYbggD4O3w6M6pAvLkhk95AndTrifbIFPNU8PPMO7OyrFAHqgDsznjPFmTOtCEcN2Z1FpWgchwuYLPL+Wokqltd11nqqzi+bJ9cvSKADYdUAAN5WUtzdpiy6LbTgSxP7ociU4Tn0g5I6aDZJ7A8Lzo0KSyZYoA485mqcO0GVAdVw9lq4aOT9v6d+nb4bnNkQVklLQ3fVAvJm+xdDOp9LCNCN48V2pnDOkFV6+U9nV5oyc6XI2wIDAQAB',
  ),
  alg: 'PS512',
}
const keys: Record<string, PublicJwk> = {
  'test-key-ecc-p256': p256,
  'test-key-ed25519': ed25519,
  'test-key-rsa-pss': rsaPss,
}

const digest512 = 'sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:'
const post = {
  method: 'POST',
  url: 'https://example.com/foo?param=Value&Pet=dog',
  headers: {
    host: 'example.com',
    date: 'Tue, 20 Apr 2021 02:07:55 GMT',
    'content-type': 'application/json',
    'content-digest': digest512,
    'content-length': '18',
  },
}
const answer = {
  status: 200,
  headers: {
    date: 'Tue, 20 Apr 2021 02:07:56 GMT',
    'content-type': 'application/json',
    'content-digest':
      'sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:',
    'content-length': '23',
  },
}
const proxied = {
  ...post,
  url: 'https://service.internal.example/foo?param=Value&Pet=dog',
  headers: {
    'client-cert':
      ':MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=:',
  },
}
const demo = {
  method: 'GET',
  url: 'https://example.org/demo?name1=Value1&Name2=value2',
  headers: { accept: ['application/json', '*/*'] },
}
const ED = 'created=1618884473;keyid="test-key-ed25519"'
const EC = 'created=1618884473;keyid="test-key-ecc-p256"'
const PSS = 'created=1618884473;keyid="test-key-rsa-pss"'

type Message = Request | Response
const vectors: [string, Message, string, string][] = [
  [
    'B.2.1, minimal',
    post,
    `();${PSS};nonce="b3k2pp5k7z-50gnwp.yemd"`,
    'd2pmTvmbncD3xQm8E9ZV2828BjQWGgiwAaw5bAkgibUopemLJcWDy/lkbbHAve4cRAtx31Iq786U7it++wgGxbtRxf8Udx7zFZsckzXaJMkA7ChG52eSkFxykJeNqsrWH5S+oxNFlD4dzVuwe8DhTSja8xxbR/Z2cOGdCbzR72rgFWhzx2VjBqJzsPLMIQKhO4DGezXehhWwE56YCE+O6c0mKZsfxVrogUvA4HELjVKWmAvtl6UnCh8jYzuVG5WSb/QEVPnP5TmcAnLH1g+s++v6d4s8m0gCw1fV5/SITLq9mhho8K3+7EPYTU8IU1bLhdxO5Nyt8C8ssinQ98Xw9Q==',
  ],
  [
    'B.2.2, selective',
    post,
    `("@authority" "content-digest" "@query-param";name="Pet");${PSS};tag="header-example"`,
    'LjbtqUbfmvjj5C5kr1Ugj4PmLYvx9wVjZvD9GsTT4F7GrcQEdJzgI9qHxICagShLRiLMlAJjtq6N4CDfKtjvuJyE5qH7KT8UCMkSowOB4+ECxCmT8rtAmj/0PIXxi0A0nxKyB09RNrCQibbUjsLS/2YyFYXEu4TRJQzRw1rLEuEfY17SARYhpTlaqwZVtR8NV7+4UKkjqpcAoFqWFQh62s7Cl+H2fjBSpqfZUJcsIk4N6wiKYd4je2U/lankenQ99PZfB4jY3I5rSV2DSBVkSFsURIjYErOs0tFTQosMTAoxk//0RoKUqiYY8Bh0aaUEb0rQl3/XaVe4bXTugEjHSw==',
  ],
  [
    'B.2.3, full',
    post,
    `("date" "@method" "@path" "@query" "@authority" "content-type" "content-digest" "content-length");${PSS}`,
    'bbN8oArOxYoyylQQUU6QYwrTuaxLwjAC9fbY2F6SVWvh0yBiMIRGOnMYwZ/5MR6fb0Kh1rIRASVxFkeGt683+qRpRRU5p2voTp768ZrCUb38K0fUxN0O0iC59DzYx8DFll5GmydPxSmme9v6ULbMFkl+V5B1TP/yPViV7KsLNmvKiLJH1pFkh/aYA2HXXZzNBXmIkoQoLd7YfW91kE9o/CCoC1xMy7JA1ipwvKvfrs65ldmlu9bpG6A9BmzhuzF8Eim5f8ui9eH8LZH896+QIF61ka39VBrohr9iyMUJpvRX2Zbhl5ZJzSRxpJyoEZAFL2FUo5fTIztsDZKEgM4cUA==',
  ],
  [
    'B.2.4, an answer',
    answer,
    `("@status" "content-type" "content-digest" "content-length");${EC}`,
    'wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==',
  ],
  [
    'B.2.6, Ed25519',
    post,
    `("date" "@method" "@path" "@authority" "content-type" "content-length");${ED}`,
    'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
  ],
  [
    'B.3, behind a proxy',
    proxied,
    `("@path" "@query" "@method" "@authority" "client-cert");${EC}`,
    'xVMHVpawaAC/0SbHrKRs9i8I3eOs5RtTMGCWXm/9nvZzoHsIg6Mce9315T6xoklyy0yzhD9ah4JHRwMLOgmizw==',
  ],
  [
    'B.4, with a field sent in two lines',
    demo,
    `("@method" "@path" "@authority" "accept");${ED}`,
    'ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5JZ1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m0pmj3NDA==',
  ],
]

/** The base as the server makes it: the components as they are listed, the parameters as they were parsed. */
function baseOf(message: Message, input: string): string {
  const member = parseDictionary(`sig=${input}`).get('sig')
  if (!Array.isArray(member?.[0])) throw new Error('This is no list of components')
  const [items, parameters] = member
  const wanted = { fields: items.map((item) => serializeItem(item)) }
  const base =
    'status' in message ? httpbis.createSignatureBase(wanted, message) : httpbis.createSignatureBase(wanted, message)
  base.push(['"@signature-params"', [serializeList([[items, parameters]])]])
  return httpbis.formatSignatureBase(base)
}
const keyOf = (input: string) => verificationKey(keys[/keyid="([^"]+)"/.exec(input)?.[1] ?? ''] ?? { kty: '' })
const verifies = (message: Message, input: string, signature: string) =>
  keyOf(input)?.verifies(Buffer.from(baseOf(message, input)), Buffer.from(signature, 'base64'))

describe('the vectors of RFC 9421', () => {
  test.each(vectors)(
    '[SIG-030] [SIG-031] %s verifies, and no longer with one bit changed',
    (_, message, input, signature) => {
      expect(verifies(message, input, signature)).toBe(true)
      expect(verifies(message, input.replace('1618884473', '1618884472'), signature)).toBe(false)
      const flipped = Buffer.from(signature, 'base64')
      flipped.writeUInt8(flipped.readUInt8(20) ^ 1, 20)
      expect(verifies(message, input, flipped.toString('base64'))).toBe(false)
    },
  )

  test('[SIG-018] of the changes in B.4 those to what is covered break the signature, and no others', () => {
    const [, , input, signature] = vectors.at(-1) ?? ['', demo, '', '']
    const query = { ...demo, url: `${demo.url}&param=added` }
    const joined = { ...demo, headers: { accept: 'application/json, */*', 'accept-language': 'en-US,en;q=0.5' } }
    for (const kept of [query, joined]) expect(verifies(kept, input, signature)).toBe(true)
    const reordered = { ...demo, headers: { accept: ['*/*', 'application/json'] } }
    for (const broken of [{ ...demo, method: 'POST' }, { ...demo, url: 'https://example.com/demo' }, reordered])
      expect(verifies(broken, input, signature)).toBe(false)
  })

  test('[SIG-031] Ed25519 makes the very signature of B.2.6 again', () => {
    const [, , input, signature] = vectors.find(([name]) => name.startsWith('B.2.6')) ?? ['', post, '', '']
    const d = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU'
    const key = createPrivateKey({ key: { ...ed25519, d }, format: 'jwk' })
    expect(sign(null, Buffer.from(baseOf(post, input)), key).toString('base64')).toBe(signature)
  })

  test('[SIG-019] neither key of another kind verifies what one of them signed', () => {
    for (const [, message, input, signature] of vectors)
      for (const jwk of Object.values(keys)) {
        const key = verificationKey(jwk)
        const own = key?.thumbprint === keyOf(input)?.thumbprint
        expect(key?.verifies(Buffer.from(baseOf(message, input)), Buffer.from(signature, 'base64'))).toBe(own)
      }
  })
})
