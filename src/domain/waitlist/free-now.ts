import { lapsedEnd } from '../../core/ledger/freed.ts'
import { END_OF_TIME } from '../../infra/time/units.ts'
import { written } from '../../infra/time/zone.ts'
import type { ChangeContext, Context } from '../../protocol/operation.ts'
import type { Message } from '../../protocol/types.generated.ts'
import type { AvailableTime } from '../availability/available-times.ts'
import { bookable, firstAvailableTime, MOST_BATCHES } from '../availability/find-available-times.ts'
import type { Slot } from '../availability/find-slot.ts'
import { info } from '../availability/notices.ts'
import { type Plan, resourcesOf } from '../availability/plan.ts'
import type { CameFree } from './came-free.ts'
import { FreeSlots, keyOf } from './free-slots.ts'
import { freedBy, freedReturn } from './freed-queries.ts'
import { makeOffers, offerToWaiting } from './make-offers.ts'
import { beginningOf, suiting } from './preferences.ts'
import type { EntryRow } from './queries.ts'
import { unlessLockTimeout } from './unless-lock-timeout.ts'

/** Offers a free slot to the first entry that waits for it. That may be the entry that has just joined. */
export async function offerAtOnce({ db, business, tag, now }: ChangeContext, { plan, time }: Slot): Promise<void> {
  let isDone = false
  await unlessLockTimeout(db, async () => {
    await lapsedEnd(db, resourcesOf(plan), now)
    const cameFree: CameFree = {
      within: [[time.start, time.start + 1]],
      includes: (one) => keyOf(one) === keyOf(time),
    }
    const free = new FreeSlots(plan, cameFree, tag, now)
    isDone = (await makeOffers(db, business, tag, now)) && (await offerToWaiting(db, [free], now))
  })
  if (!isDone) await freedReturn(db, freedBy(plan, time))
}

/** Notices for an entry that waits for no certain slot: a fitting time is free already, and any buyer may book it. */
export async function freeTime(
  { db, now }: Context,
  plan: Plan,
  wish: Pick<EntryRow, 'preferred'>,
): Promise<Message[]> {
  const range = bookable(plan, [now.getTime(), END_OF_TIME], now)
  const isSuited = suiting(wish)
  const fits = (time: AvailableTime) => isSuited(beginningOf(time, plan.zone))
  const free = await firstAvailableTime(db, plan, { range, party: 1, now, fits }, MOST_BATCHES)
  if (!free) return []
  const first = `A time that suits is free already, the first at ${written(plan.zone, free.start)}.`
  return [info('slots_available', `${first} Query for it and book it: offered is what comes free from now on.`)]
}

export const keptAtOnce = ({ offer_expires_at }: EntryRow, { zone }: Plan): Message[] =>
  offer_expires_at
    ? [
        info(
          'slot_available',
          `This slot is free, and kept for the buyer until ${written(zone, offer_expires_at.getTime())}: accept it to book it.`,
        ),
      ]
    : []

export const inLineAlready = info('already_waiting', 'This buyer waits for just this already: here is that entry.')

/** The server offers places one by one, so it warns a party that it will not get places together. */
export const onePlace: Message = {
  type: 'warning',
  code: 'field_ignored',
  content: 'An entry waits for one place. Whoever comes along joins as well, under an address of their own.',
  path: '$.party_size',
}

/** An entry cannot store this address, and a booking requires it. */
export const addressLater = info(
  'delivery_address_needed',
  'This service comes to the buyer: send delivery_address when you accept an offer.',
)
