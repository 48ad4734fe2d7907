import { expect, test } from 'vitest'
import { spreadByHost } from '../../src/domain/catalog/catalogue-events.ts'

test('[one host is not called for all at once] thirty-two are at once, so many more each second, and each host for itself', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const when = spreadByHost(now)
  const seconds = (callback: string) => (when(callback).getTime() - now.getTime()) / 1000
  const waits = Array.from({ length: 97 }, (_, nth) => seconds(`https://crowd.example/${nth}`))
  expect([0, 31, 32, 63, 64, 95, 96].map((nth) => waits[nth])).toEqual([0, 0, 1, 1, 2, 2, 3])
  expect(seconds('https://crowd.example:8443/')).toBe(3)
  expect(seconds('https://other.example/')).toBe(0)
})
