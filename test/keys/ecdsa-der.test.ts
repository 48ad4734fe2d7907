import { generateKeyPairSync, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { ecdsaDer } from '../../src/core/keys/public-keys.ts'

const curves = [
  ['P-256', 'sha256', 64],
  ['P-384', 'sha384', 96],
] as const

// A thousand signatures meet every first bit and leading zeros of both numbers.
test.each(curves)('a thousand %s signatures say the same in both forms', (namedCurve, digest, length) => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve })
  for (let round = 0; round < 1000; round++) {
    const data = Buffer.from(`message ${round}`)
    const signature = sign(digest, data, { key: privateKey, dsaEncoding: 'ieee-p1363' })
    expect(signature).toHaveLength(length)
    expect(verify(digest, data, publicKey, ecdsaDer(signature))).toBe(true)
    signature[round % length] = (signature[round % length] ?? 0) ^ 1
    expect(verify(digest, data, publicKey, ecdsaDer(signature))).toBe(false)
  }
})

test('numbers of nothing but zeros verify nothing', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  expect(verify('sha256', Buffer.from('x'), publicKey, ecdsaDer(Buffer.alloc(64)))).toBe(false)
})

test('nothing but zeros is the number zero, as short as it can be', () => {
  expect(ecdsaDer(Buffer.alloc(64)).toString('hex')).toBe('3006020100020100')
})
