import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { businessWith, service } from '../support/definitions.ts'
import { START, testServer } from '../support/server.ts'

const DAY = 24 * 60 * 60 * 1000
const server = await testServer(businessWith([service('svc_a')]))

/** The ids of the published keys, this many days after the first was made, once all is done that is due then. */
async function keysAfter(days: number): Promise<string[]> {
  server.time.now = new Date(START.getTime() + days * DAY)
  await runHousekeeping(server.runtime)
  const { body } = await server.rest('GET', '/.well-known/usp')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

test('[SIG-059] after ninety days there is one new key, and the old one is published for a week more', async () => {
  const [first, ...others] = await keysAfter(0)
  expect(others).toEqual([])
  expect(await keysAfter(89)).toEqual([first])
  const both = await keysAfter(90)
  expect(both).toEqual([first, expect.any(String)])
  const [, second] = both
  expect(second).not.toBe(first)
  for (const days of [91, 92, 95]) expect([days, await keysAfter(days)]).toEqual([days, both])
  expect(await keysAfter(98)).toEqual([second])
  expect(await keysAfter(179)).toEqual([second])
  expect(await keysAfter(180)).toEqual([second, expect.any(String)])
  expect(server.logged.filter((line) => line.includes('There is a new signing key.'))).toHaveLength(2)
})
