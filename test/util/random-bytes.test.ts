import { expect, test } from 'vitest'
import { randomBytes } from '../../src/infra/util/random-bytes.ts'

test('[nobody guesses an id] no random byte is given out twice, nor changed once it was, however many are asked for', () => {
  const sizes = Array.from({ length: 3_000 }, (_, nth) => [12, 32, 16][nth % 3] ?? 0)
  const given = sizes.map(randomBytes)
  const written = given.map((bytes) => bytes.toString('hex'))
  expect(given.map(({ length }) => length)).toEqual(sizes)
  const places = given.map(({ buffer, byteOffset, length }) => ({ buffer, from: byteOffset, to: byteOffset + length }))
  for (const [nth, { buffer, to }] of places.entries()) {
    const next = places[nth + 1]
    if (next?.buffer === buffer) expect(next.from).toBeGreaterThanOrEqual(to)
  }
  expect(new Set(written).size).toBe(sizes.length)
  expect(given.map((bytes) => bytes.toString('hex'))).toEqual(written)
})

test('[nobody guesses an id] more than is kept in supply comes whole', () => {
  const many = randomBytes(10_000)
  expect(many).toHaveLength(10_000)
  expect(new Set(many).size).toBe(256)
})
