import { expect, test } from 'vitest'
import { DAY } from '../../src/infra/time/time-units.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { START, testServer } from '../support/server.ts'
import { slowness } from '../support/slowness.ts'
import { yearLong } from './large-definitions.ts'

/** Milliseconds of processor time; to reckon the year between for each of them took more than twice that. */
const AT_MOST = 60

const { rest, raw } = await testServer(yearLong())
let days = 3

test.each([
  [
    'a question for free times',
    (day: string) => rest('POST', '/availability/query', { service_id: 'svc_one', start_date: day, end_date: day }),
  ],
  ['the page of the service', (day: string) => raw({ method: 'GET', url: `/book/svc_one?day=${day}` })],
])('[no stored value stalls the server] 300 bikes for a year, each with hours of its own: %s', async (_, ask) => {
  const turns: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    const day = new Date(START.getTime() + ++days * DAY).toISOString().slice(0, 10)
    const longest = longestTurn()
    // Where the machine is busy the server turns calls away for a while.
    await expect.poll(async () => (await ask(day)).status).toBe(200)
    turns.push(longest())
  }
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})
