import type { Answer } from '../../caller/answer.ts'
import { KeyPair } from '../../caller/key-pair.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectTrue } from '../../run/expectations.ts'
import { Mismatch } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { askForHold, askToBook, bookingOf, holdOf } from './slots-and-bookings.ts'

const needs = ['services.availability', 'services.bookings']
const LIMIT = 3
const FREE_ROUNDS = 5

export const holdLimitChecks = [
  check(
    'HLD-045 LIV-064 ERR-069',
    'A caller with three active holds on a service gets no fourth there, but one on another service',
    async (c) => {
      const { caller } = await withThreeHolds(c)
      const other = c.service(
        'second appointment',
        (one) => one.type === 'appointment' && one.id !== c.simpleService.id,
      )
      holdOf(await askForHold(c, await c.slot(other), { caller }))
    },
    { needs },
  ),
  check(
    'HLD-046',
    'A caller with three active holds can hold again after a release and after a booking',
    async (c) => {
      const { caller, holds } = await withThreeHolds(c)
      const [first, second] = holds
      if (!first || !second) throw new Error('There are three holds.')
      await caller.call('release', { hold_id: first.id })
      holdOf(await askForHold(c, first.slot, { caller }))
      bookingOf(await askToBook(c, second.slot, { caller, input: { hold_id: second.id } }))
      holdOf(await askForHold(c, await c.slot(c.simpleService), { caller }))
    },
    { needs },
  ),
  check(
    'HLD-047 HLD-048',
    'A caller that releases many holds must wait a minute, until it books',
    async (c) => {
      c.needsHolds()
      const { caller } = c
      const slot = await c.slot(c.simpleService)
      for (let round = 0; round <= FREE_ROUNDS; round++) {
        const { id } = holdOf(await caller.call('hold', { service_id: slot.service_id, slot_id: slot.id }))
        await caller.call('release', { hold_id: id })
      }
      const refused = await askForHold(c, slot, { options: { seesRateLimits: true } })
      const seconds = requireRefusal(refused)
      expectTrue(seconds > 0 && seconds <= 61, 'a wait of about one minute', seconds)
      bookingOf(await askToBook(c, await c.slot(c.simpleService)))
      holdOf(await askForHold(c, slot, { options: { seesRateLimits: true } }))
    },
    { needs },
  ),
]

/** A caller that holds three slots of the simple service, after a fourth hold was refused. */
async function withThreeHolds(c: CheckContext) {
  c.needsHolds()
  // A key that no profile publishes: a business may know a platform by its published key, and allow it more holds.
  const caller = c.callerFor({ profile: c.platform.hosted.profile, key: new KeyPair() })
  const holds = []
  for (let count = 0; count < LIMIT; count++) {
    const slot = await c.slot(c.simpleService)
    holds.push({ slot, id: holdOf(await askForHold(c, slot, { caller })).id })
  }
  const fourth = await c.slot(c.simpleService)
  requireRefusal(await askForHold(c, fourth, { caller, options: { seesRateLimits: true } }))
  return { caller, holds }
}

/** Requires the refusal of a hold for the number of holds. Returns the seconds to wait. */
function requireRefusal(answer: Answer): number {
  const { members } = answer.failsWith('hold_limit_exceeded', { rest: 429, mcp: -32007 })
  const seconds = Number(answer.headers['retry-after'] ?? members.retry_after)
  if (!Number.isFinite(seconds)) throw new Mismatch('a Retry-After in the refusal', answer.text)
  return seconds
}
