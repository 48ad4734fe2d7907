import { slotGone } from '../../availability/allocate-slot.ts'
import { refuseOutsideWindow, type Slot, unknownService } from '../../availability/find-slot.ts'
import { planOf } from '../../availability/plan.ts'
import { slotId } from '../../availability/slot-id.ts'
import { checkParty } from '../../bookings/check-request.ts'
import { Outcome } from '../../protocol/errors.ts'
import type { Context } from '../../protocol/operation.ts'
import { deskOffer, deskSession } from './desk-offer.ts'
import { readWish, type Usual } from './read-wish.ts'
import { overriding, type Rule, type SlotWish } from './slot-wish.ts'

interface DeskSlot {
  slot: Slot
  /** The rules that really had to be set aside for it. */
  overridden: Rule[]
}

/** The slot that the staff mean, by the rules that they leave in force. Whose its time is the ledger says later. */
export async function deskSlot(
  { db, business, tag, now }: Pick<Context, 'db' | 'business' | 'tag' | 'now'>,
  { service, party, usual }: { service: string; party: number; usual?: Usual },
  wish: SlotWish,
): Promise<DeskSlot> {
  const plan = planOf(await business.get(), service)
  if (!plan) throw unknownService(service)
  if ((plan.service.status ?? 'active') !== 'active') throw slotGone()
  const { override = [] } = wish
  const wished = readWish(plan, tag, wish, usual)
  const found =
    plan.service.type === 'group'
      ? await deskSession(db, wished, now)
      : await deskOffer(db, wished, party, override, now)
  const { start, end, location, picks } = found.offer
  const id = slotId(tag, { service, start, end, location, picks })
  const slot = { id, plan: found.plan, offer: found.offer }
  const overridden = new Set(found.needed)
  const check = (rule: Rule, refuse: () => void) => {
    try {
      refuse()
    } catch (error) {
      if (!(error instanceof Outcome)) throw error
      const { code, message, path } = error
      if (!override.includes(rule)) throw new Outcome(code, `${message} ${overriding([rule])}`, path)
      overridden.add(rule)
    }
  }
  check('booking_window', () => refuseOutsideWindow(slot, now))
  check('capacity', () => checkParty(party, slot))
  return { slot, overridden: [...overridden] }
}
