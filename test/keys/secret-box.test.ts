import { expect, test } from 'vitest'
import { deriveKey, seal, unseal } from '../../src/core/keys/encrypt-secrets.ts'

const key = deriveKey('a secret', 'a purpose')
const NONCE = 12

test('[a nonce is never used twice] of a thousand boxes of one text each has a nonce of its own, all of it by chance', () => {
  const boxes = Array.from({ length: 1000 }, () => seal(key, 'the same text'))
  expect(new Set(boxes.map((box) => box.subarray(0, NONCE).toString('hex'))).size).toBe(1000)
  // No part of it stays the same either: of 250 values a byte takes most.
  for (let nth = 0; nth < NONCE; nth++) expect(new Set(boxes.map((box) => box[nth])).size).toBeGreaterThan(150)
  for (const box of boxes) expect(unseal(key, box)).toBe('the same text')
})

test('[a sealed box is whole or nothing] another key, another purpose, a changed bit and a cut open nothing', () => {
  const box = seal(key, 'the text')
  for (const other of [deriveKey('another secret', 'a purpose'), deriveKey('a secret', 'another purpose')])
    expect(() => unseal(other, box)).toThrow()
  for (let nth = 0; nth < box.length; nth++) {
    const changed = Buffer.from(box)
    changed[nth] = (changed[nth] ?? 0) ^ 1
    expect(() => unseal(key, changed)).toThrow()
  }
  for (const length of [0, 11, 12, 20, 27, box.length - 1]) expect(() => unseal(key, box.subarray(0, length))).toThrow()
})

test('[what was sealed opens for ever] a box of nonce, tag and text as it was always made', () => {
  const box = 'ad669c4216280e8ec7a184c0eb9118f27f4e71aec2ec4d2ee4fb2f3b70a58adbd07b7ebf'
  expect(unseal(key, Buffer.from(box, 'hex'))).toBe('the text')
  expect(seal(key, 'the text')).toHaveLength(box.length / 2)
})
