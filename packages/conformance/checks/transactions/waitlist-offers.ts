import { setTimeout as sleep } from 'node:timers/promises'
import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { dateIn } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import {
  dayWaitlistService,
  entryWithStatus,
  fillSlot,
  freeSpot,
  freeSpots,
  join,
  offeredEntry,
  readEntry,
} from './waitlist-scene.ts'

const needs = ['services.waitlist', 'services.availability', 'services.bookings']
/** Milliseconds in which a second, wrong offer would appear. */
const SETTLE_MS = 1_000

export const waitlistOfferChecks = [
  check(
    'WTL-028 WTL-029 WTL-031 WTL-035',
    'A canceled booking of a full slot gives one offer, to the first entry',
    async (c) => {
      const full = await fillSlot(c)
      const wishes = { service_id: full.service.id, slot_id: full.slot.id }
      const { entry: first } = await join(c, wishes)
      const { entry: second } = await join(c, wishes)
      await freeSpot(full)
      const offered = await entryWithStatus(first, 'offered', c.caller)
      c.schemas.expectValid('waitlist#WaitlistEntry', offered, 'the offered entry')
      const slot = expectMembers(offered.offered_slot, 'offered_slot')
      expectEqual(slot.slot_id, full.slot.id, 'offered_slot.slot_id')
      expectEqual(
        expectInstant(slot.start, 'offered_slot.start'),
        Date.parse(full.slot.start),
        'the start of the offer',
      )
      expectEqual(expectInstant(slot.end, 'offered_slot.end'), Date.parse(full.slot.end), 'the end of the offer')
      const expiry = expectInstant(offered.offer_expires_at, 'offer_expires_at')
      expectTrue(expiry > Date.now(), 'an offer_expires_at in the future', offered.offer_expires_at)
      await sleep(SETTLE_MS)
      const waiting = await readEntry(second, c.caller)
      expectEqual(waiting.status, 'waiting', 'the status of the second entry')
      expectEqual('offered_slot' in waiting || 'offer_expires_at' in waiting, false, 'whether it has an offer')
    },
    { needs },
  ),
  check(
    'WTL-034',
    'No other platform can hold or book an offered spot',
    async (c) => {
      const { service, slot } = await offeredEntry(c)
      const { caller } = c.newPlatform()
      const wishes = { service_id: service.id, slot_id: slot.id }
      const refused = ['slot_unavailable', 'capacity_exceeded']
      const hold = await caller.call('hold', wishes)
      const { hold: held } = (hold.result ?? {}) as { hold?: Members }
      if (held) c.afterwards(() => caller.call('release', { hold_id: held.id }))
      hold.refusedWith(...refused)
      const booked = await caller.call('book', { ...wishes, buyer: c.buyer() })
      const { booking } = (booked.result ?? {}) as { booking?: Members }
      if (booking) c.cancelAfterwards(booking, caller)
      booked.refusedWith(...refused)
    },
    { needs },
  ),
  check(
    'WTL-027 WTL-025 WTL-030',
    'The offer of an entry that leaves goes to the next entry',
    async (c) => {
      const { entry, service, slot } = await offeredEntry(c)
      const { entry: next } = await join(c, { service_id: service.id, slot_id: slot.id })
      expectEqual(next.status, 'waiting', 'the status of the next entry before')
      ;(await c.caller.call('leaveWaitlist', { entry_id: entry.id })).success()
      const left = await readEntry(entry, c.caller)
      expectEqual(left.status, 'removed', 'the status of the left entry')
      expectEqual('offered_slot' in left || 'offer_expires_at' in left, false, 'whether the left entry has an offer')
      const offered = await entryWithStatus(next, 'offered', c.caller)
      expectEqual(expectMembers(offered.offered_slot, 'offered_slot').slot_id, slot.id, 'the slot of the next offer')
    },
    { needs },
  ),
  check(
    'WTL-048 WTL-050',
    'A declined offer goes to the next entry',
    async (c) => {
      const { entry, service, slot } = await offeredEntry(c)
      const { entry: next } = await join(c, { service_id: service.id, slot_id: slot.id })
      const answer = await c.caller.call('declineOffer', { entry_id: entry.id })
      const declined = expectMembers(answer.success().entry, 'entry')
      if (c.binding === 'rest') expectEqual(answer.status, 200, 'the HTTP status')
      expectTrue(['waiting', 'removed'].includes(String(declined.status)), 'waiting or removed', declined.status)
      expectEqual('offered_slot' in declined, false, 'whether the declined entry has an offered_slot')
      await entryWithStatus(next, 'offered', c.caller)
    },
    { needs },
  ),
  check(
    'WTL-048 WTL-049',
    'An entry for one slot that declines it is removed',
    async (c) => {
      const { entry } = await offeredEntry(c)
      const answer = await c.caller.call('declineOffer', { entry_id: entry.id })
      expectEqual(expectMembers(answer.success().entry, 'entry').status, 'removed', 'the status')
      expectEqual((await readEntry(entry, c.caller)).status, 'removed', 'the status when read')
    },
    { needs },
  ),
  check(
    'WTL-050',
    'A declined spot is on sale again if no entry waits for it',
    async (c) => {
      const { entry, service, slot } = await offeredEntry(c)
      expectEqual(await freeSpots(c, service, slot), 0, 'the free spots during the offer')
      ;(await c.caller.call('declineOffer', { entry_id: entry.id })).success()
      expectTrue((await freeSpots(c, service, slot)) > 0, 'a free spot after the decline', 'none')
      const held = (await c.caller.call('hold', { service_id: service.id, slot_id: slot.id })).success()
      c.afterwards(() => c.caller.call('release', { hold_id: expectMembers(held.hold, 'hold').id }))
    },
    { needs },
  ),
  check(
    'WTL-032',
    'An entry gets an offer only inside its preferred days',
    async (c) => {
      const full = await fillSlot(c, dayWaitlistService(c))
      const day = full.slot.start.slice(0, 10)
      const service_id = full.service.id
      const { entry: other } = await join(c, {
        service_id,
        preferred_slots: [{ start_date: dateIn(3650), end_date: dateIn(3651) }],
      })
      const { entry: suited } = await join(c, { service_id, preferred_slots: [{ start_date: day, end_date: day }] })
      await freeSpot(full)
      const offered = await entryWithStatus(suited, 'offered', c.caller)
      const start = String(expectMembers(offered.offered_slot, 'offered_slot').start)
      expectEqual(start.slice(0, 10), day, 'the day of the offered slot')
      await sleep(SETTLE_MS)
      expectEqual((await readEntry(other, c.caller)).status, 'waiting', 'the status of the entry for another day')
    },
    { needs },
  ),
  check(
    'WTL-033',
    'An entry for one slot gets no offer of another slot',
    async (c) => {
      const full = await fillSlot(c)
      const { entry: other } = await join(c, { service_id: full.service.id, slot_id: (await fillSlot(c)).slot.id })
      const { entry: suited } = await join(c, { service_id: full.service.id, slot_id: full.slot.id })
      await freeSpot(full)
      await entryWithStatus(suited, 'offered', c.caller)
      expectEqual((await readEntry(other, c.caller)).status, 'waiting', 'the status of the entry for another slot')
    },
    { needs },
  ),
  check(
    'WTL-056',
    'An entry for one part of the day gets no offer in another part',
    async (c) => {
      const full = await fillSlot(c, dayWaitlistService(c), { where: ({ start }) => hourOf(start) < 12 })
      const day = full.slot.start.slice(0, 10)
      const wish = (time_of_day: string) => ({
        service_id: full.service.id,
        preferred_slots: [{ start_date: day, end_date: day, time_of_day }],
      })
      const { entry: late } = await join(c, wish('afternoon'))
      const { entry: early } = await join(c, wish('morning'))
      await freeSpot(full)
      await entryWithStatus(early, 'offered', c.caller)
      const { offered_slot } = (await readEntry(late, c.caller)) as { offered_slot?: Members }
      expectTrue(offered_slot?.slot_id !== full.slot.id, 'no offer of a morning to the entry for the afternoon', day)
    },
    { needs },
  ),
]

const hourOf = (start: string) => Number(start.slice(11, 13))
