import type { Answer } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectTrue } from '../../run/expectations.ts'
import { Mismatch, Skip } from '../../run/mismatch.ts'
import { secondAppointment } from '../../target/service-kinds.ts'
import { check } from '../check.ts'
import { askForHold, askToBook, bookingOf, holdOf } from './slots-and-bookings.ts'

const needs = ['services.availability', 'services.bookings']
const LIMIT = 3
const FREE_ROUNDS = 5

export const holdLimitChecks = [
  check(
    'HLD-045 LIV-064 ERR-069',
    'A caller with three active holds on a service gets no fourth hold, but can hold a slot of another service',
    async (c) => {
      const { caller } = await withThreeHolds(c)
      holdOf(await askForHold(c, await c.slot(secondAppointment(c)), { caller }))
    },
    { needs },
  ),
  check(
    'HLD-046',
    'A caller with three active holds can hold again after a release or a booking',
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
    'A caller that releases many holds must wait a minute, or book first',
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

/** Returns a caller with three holds on one service, after the server has refused a fourth hold. */
async function withThreeHolds(c: CheckContext) {
  c.needsHolds()
  // A new key that no profile publishes. A business may know the published key of a platform, and allow it more holds.
  if (c.usualAuthentication === 'signature') throw new Skip('The business accepts only published keys of platforms.')
  const caller = c.callerFor({ profile: c.platform.hosted.profile, key: c.newKey() })
  const holds = []
  for (let count = 0; count < LIMIT; count++) {
    const slot = await c.slot(c.simpleService)
    holds.push({ slot, id: holdOf(await askForHold(c, slot, { caller })).id })
  }
  const fourth = await c.slot(c.simpleService)
  requireRefusal(await askForHold(c, fourth, { caller, options: { seesRateLimits: true } }))
  return { caller, holds }
}

/** Requires that the server refuses another hold because of the hold limit. Returns the seconds to wait. */
function requireRefusal(answer: Answer): number {
  const { members } = answer.failsWith('hold_limit_exceeded')
  const seconds = Number(answer.headers['retry-after'] ?? members.retry_after)
  if (!Number.isFinite(seconds)) throw new Mismatch('a Retry-After in the refusal', answer.text)
  return seconds
}
