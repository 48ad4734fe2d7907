import { expect, test } from 'vitest'
import { differences } from '../../src/domain/definition/compare-definitions.ts'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'

/** Milliseconds of processor time; all in one turn took more than twice that. */
const AT_MOST = 60

/** Twelve services, each for as many postal codes as there may be. */
const serving = (letter: string) => {
  const codes = Array.from({ length: 10_000 }, (_, nth) => `${letter}${nth}`)
  const service_limits = { postal_codes: { country: 'DE', codes } }
  return businessWith(Array.from({ length: 12 }, (_, nth) => service(`svc_${nth}`, { service_limits })))
}

test('[no single request stalls the server] what changes in a large business is told by turns', async () => {
  const [before, after] = [serving('a'), serving('b')]
  const turns: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    const longest = longestTurn()
    const changes = await differences(before, after)
    turns.push(longest())
    expect(changes).toHaveLength(12)
    expect(changes[0]?.details.at(-1)).toBe('and 19988 more')
  }
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})
