import { setTimeout as sleep } from 'node:timers/promises'
import { asMembers } from '../../caller/answer.ts'
import { expectEqual, expectInstant, expectMembers, expectTrue } from '../../run/expectations.ts'
import { dateIn } from '../../target/free-slots.ts'
import { check } from '../check.ts'
import { askForHold, askToBook, holdOf } from './slots-and-bookings.ts'
import {
  dayWaitlistService,
  entryOf,
  entryWithStatus,
  fillSlot,
  freeSpot,
  freeSpots,
  hasOffer,
  join,
  leave,
  offeredEntry,
  readEntry,
} from './waitlist-steps.ts'

const needs = ['services.waitlist', 'services.availability', 'services.bookings']
/** In milliseconds. After this time, the check assumes that no wrong second offer follows. */
const SETTLE_MS = 1_000

export const waitlistOfferChecks = [
  check(
    'WTL-028 WTL-029 WTL-031 WTL-035',
    'After a cancellation in a full slot, exactly the first entry gets an offer',
    async (c) => {
      const full = await fillSlot(c)
      const wishes = { service_id: full.service.id, slot_id: full.slot.id }
      const { entry: first } = await join(c, wishes)
      const { entry: second } = await join(c, wishes)
      await freeSpot(full)
      const offered = await entryWithStatus(c, first, 'offered')
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
      const waiting = await readEntry(c, second)
      expectEqual(waiting.status, 'waiting', 'the status of the second entry')
      expectEqual(hasOffer(waiting), false, 'the presence of an offer in the second entry')
    },
    { needs },
  ),
  check(
    'WTL-034',
    'No other platform can hold or book an offered spot',
    async (c) => {
      const { slot } = await offeredEntry(c)
      const { caller } = c.newPlatform()
      for (const ask of [askForHold, askToBook])
        (await ask(c, slot, { caller })).refusedWith('slot_unavailable', 'capacity_exceeded')
    },
    { needs },
  ),
  check(
    'WTL-027 WTL-025 WTL-030',
    'If an entry with an offer leaves, the next entry gets the offer',
    async (c) => {
      const { entry, service, slot } = await offeredEntry(c)
      const { entry: next } = await join(c, { service_id: service.id, slot_id: slot.id })
      expectEqual(next.status, 'waiting', 'the status of the next entry before the first entry leaves')
      await leave(c, entry)
      const left = await readEntry(c, entry)
      expectEqual(left.status, 'removed', 'the status of the entry that left')
      expectEqual(hasOffer(left), false, 'the presence of an offer in the entry that left')
      const offered = await entryWithStatus(c, next, 'offered')
      expectEqual(expectMembers(offered.offered_slot, 'offered_slot').slot_id, slot.id, 'the slot of the next offer')
    },
    { needs },
  ),
  check(
    'WTL-048 WTL-050',
    'If a platform declines an offer, the next entry gets the offer',
    async (c) => {
      const { entry, service, slot } = await offeredEntry(c)
      const { entry: next } = await join(c, { service_id: service.id, slot_id: slot.id })
      const answer = await c.caller.call('declineOffer', { entry_id: entry.id })
      const declined = entryOf(answer)
      if (c.binding === 'rest') expectEqual(answer.status, 200, 'the HTTP status')
      expectTrue(['waiting', 'removed'].includes(String(declined.status)), 'waiting or removed', declined.status)
      expectEqual('offered_slot' in declined, false, 'the presence of offered_slot in the declined entry')
      await entryWithStatus(c, next, 'offered')
    },
    { needs },
  ),
  check(
    'WTL-048 WTL-049',
    'An entry for one slot is removed if the platform declines its offer',
    async (c) => {
      const { entry } = await offeredEntry(c)
      const answer = await c.caller.call('declineOffer', { entry_id: entry.id })
      expectEqual(entryOf(answer).status, 'removed', 'the status')
      expectEqual((await readEntry(c, entry)).status, 'removed', 'the status when read')
    },
    { needs },
  ),
  check(
    'WTL-050',
    'The server offers a declined spot to all callers if no entry waits for it',
    async (c) => {
      const { entry, slot } = await offeredEntry(c)
      expectEqual(await freeSpots(c, slot), 0, 'the free spots during the offer')
      ;(await c.caller.call('declineOffer', { entry_id: entry.id })).success()
      expectTrue((await freeSpots(c, slot)) > 0, 'a free spot after the decline', 'none')
      holdOf(await askForHold(c, slot))
    },
    { needs },
  ),
  check(
    'WTL-032',
    'An entry gets an offer only on its preferred days',
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
      const offered = await entryWithStatus(c, suited, 'offered')
      const start = String(expectMembers(offered.offered_slot, 'offered_slot').start)
      expectEqual(start.slice(0, 10), day, 'the day of the offered slot')
      await sleep(SETTLE_MS)
      expectEqual((await readEntry(c, other)).status, 'waiting', 'the status of the entry for another day')
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
      await entryWithStatus(c, suited, 'offered')
      expectEqual((await readEntry(c, other)).status, 'waiting', 'the status of the entry for another slot')
    },
    { needs },
  ),
  check(
    'WTL-056',
    'An entry for one part of the day gets no offer in another part of the day',
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
      await entryWithStatus(c, early, 'offered')
      const { offered_slot } = await readEntry(c, late)
      expectTrue(asMembers(offered_slot)?.slot_id !== full.slot.id, 'no morning offer for the afternoon entry', day)
    },
    { needs },
  ),
]

const hourOf = (start: string) => Number(start.slice(11, 13))
