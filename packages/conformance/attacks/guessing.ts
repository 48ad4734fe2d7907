import { randomBytes } from 'node:crypto'
import { check } from '../checks/check.ts'
import { expectEqual, expectTrue } from '../run/expectations.ts'
import { Skip } from '../run/mismatch.ts'
import type { Pace } from './pace.ts'

/** Wrong credentials in a row. A server that accepts more of them lets callers guess. */
const MAX_GUESSES = 300

export const guessingAttacks = (pace: Pace) => [
  check(
    'LIM-017',
    'The server stops a caller that guesses credentials',
    async (c) => {
      for (let guess = 1; guess <= MAX_GUESSES; guess++) {
        await pace()
        const bearer = randomBytes(24).toString('base64url')
        const guesser = c.callerFor({ ...c.sharedPlatform.hosted, bearer }, 'bearer')
        const answer = await guesser.call('getBooking', { booking_id: 'bkg_of_nobody' }, { seesRateLimits: true })
        if (answer.status === 429) return
        expectEqual(answer.status, 401, 'the HTTP status of a wrong credential')
      }
      throw new Skip(`The server answered ${MAX_GUESSES} wrong credentials, and limits none. A sandbox may do so.`)
    },
    { only: 'rest', isAlone: true },
  ),
  check(
    'LIM-018',
    'A forged address of the client does not escape the limits',
    async (c) => {
      const left: number[] = []
      for (let call = 0; call < 5; call++) {
        await pace()
        const forged = `203.0.113.${call + 1}`
        const headers = { 'x-forwarded-for': forged, forwarded: `for=${forged}`, 'x-real-ip': forged }
        const answer = await c.anonymous.request('GET', '/services/feed?limit=1', { headers })
        const remaining = answer.headers['ratelimit-remaining']
        if (remaining === undefined) throw new Skip('The answers do not say how many requests are left.')
        left.push(Number(remaining))
      }
      const isFresh = left.every((number) => number === left[0])
      expectTrue(!isFresh, 'fewer requests left with each call', `${left.join(', ')} requests left`)
    },
    { only: 'rest', isAlone: true },
  ),
]
