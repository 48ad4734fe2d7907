import { deleteExpired } from '../../core/ledger/end-expired-claims.ts'
import { LAST_INSTANT_MS } from '../../infra/time/time-units.ts'
import { rfc3339 } from '../../infra/time/time-zone.ts'
import type { ChangeContext, Context } from '../../protocol/define-operation.ts'
import type { Message } from '../../protocol/types.generated.ts'
import type { AvailableTime } from '../availability/available-times.ts'
import { info } from '../availability/closure-and-party-notices.ts'
import { bookableRange, firstAvailableTime, MAX_BATCHES } from '../availability/find-available-times.ts'
import type { Slot } from '../availability/find-slot.ts'
import { type Plan, resourcesOf } from '../availability/service-scheduling-plan.ts'
import type { ReleasedCapacity } from './find-freed-slots.ts'
import { FreeSlots, slotKeyText } from './free-slots.ts'
import { offerReleased, offerToWaiting } from './offer-in-waitlist-order.ts'
import type { EntryRow } from './queries.ts'
import { capacityOf, releasedReturn } from './released-capacity-queries.ts'
import { unlessLockTimeout } from './skip-on-lock-timeout.ts'
import { localPartOfDay, preferenceFilter } from './time-preferences.ts'

/**
 * Offers a free slot to the first waitlist entry that waits for this slot. This entry may be the entry that has just
 * joined.
 */
export async function offerImmediately({ db, business, tag, now }: ChangeContext, { plan, time }: Slot): Promise<void> {
  let isDone = false
  await unlessLockTimeout(db, async () => {
    await deleteExpired(db, resourcesOf(plan), now)
    const released: ReleasedCapacity = {
      within: [[time.start, time.start + 1]],
      includes: (one) => slotKeyText(one) === slotKeyText(time),
    }
    const free = new FreeSlots(plan, released, tag, now)
    isDone = (await offerReleased(db, business, tag, now)) && (await offerToWaiting(db, [free], now))
  })
  if (!isDone) await releasedReturn(db, capacityOf(plan, time))
}

/**
 * Returns a notice for a buyer who joins the waitlist for any suitable time although a suitable time is already free.
 * The notice says that the buyer can book this time instead.
 */
export async function freeTimeNotices(
  { db, now }: Context,
  plan: Plan,
  entry: Pick<EntryRow, 'preferred'>,
): Promise<Message[]> {
  const range = bookableRange(plan, [now.getTime(), LAST_INSTANT_MS], now)
  const isSuited = preferenceFilter(entry)
  const fits = (time: AvailableTime) => isSuited(localPartOfDay(time, plan.zone))
  const free = await firstAvailableTime(db, plan, { range, party: 1, now, fits }, MAX_BATCHES)
  if (!free) return []
  const first = `A suitable time is already free, the first at ${rfc3339(plan.zone, free.start)}.`
  return [
    info('slots_available', `${first} Query and book it: the waitlist offers only times that become free from now on.`),
  ]
}

export const immediateOfferNotices = ({ offer_expires_at }: EntryRow, { zone }: Plan): Message[] =>
  offer_expires_at
    ? [
        info(
          'slot_available',
          `This slot is free and reserved for the buyer until ${rfc3339(zone, offer_expires_at.getTime())}: ` +
            'accept it to book it.',
        ),
      ]
    : []

export const alreadyWaitingNotice = info(
  'already_waiting',
  'This buyer already waits for the same; the answer is that entry.',
)

/**
 * Warns a caller who joins the waitlist for several people. The server offers one place at a time, so the group would
 * not get its places together.
 */
export const partyIgnoredNotice: Message = {
  type: 'warning',
  code: 'field_ignored',
  content: 'An entry waits for one place. Each further person has to join with an address of their own.',
  path: '$.party_size',
}

/**
 * Tells the caller to send the buyer's delivery address with the acceptance of an offer. The booking needs this
 * address, but a waitlist entry cannot store it.
 */
export const addressLaterNotice = info(
  'delivery_address_needed',
  "This service takes place at the buyer's address: send delivery_address when you accept an offer.",
)
