import type { ChangeContext } from '../../protocol/define-operation.ts'
import { invalidInput } from '../../protocol/errors.ts'
import type { BusinessDefinition, CreateCheckout, Message } from '../../protocol/types.generated.ts'
import { findSlot, refuseOutsideWindow, type Slot } from '../availability/find-slot.ts'
import { type HoldRow, holdLockById, holdStatus } from '../availability/hold-queries.ts'
import { placeHold } from '../availability/hold-slot.ts'
import { endHold } from '../availability/release-hold.ts'
import { planOf } from '../availability/service-scheduling-plan.ts'
import { lockHold, refuseUnfitHold } from '../bookings/allocate-booking-slot.ts'
import { checkParty } from '../bookings/check-booking-request.ts'
import { agreedOn } from './agreed-checkout-terms.ts'
import { faultsOfPeople } from './check-buyer-and-recipient.ts'
import type { Agreed, CheckoutPeople, CheckoutRequest, CheckoutRow } from './checkout-row.ts'
import { errorMessage, ucpRefusal, withCheckoutPath } from './error-messages.ts'
import { isHoldInUse } from './queries.ts'
import { refuseUnknownTerm, refuseUnsold } from './refuse-unsupported-services.ts'

type Input = CreateCheckout['input']

/** The parts of a UCP checkout that the server makes from the platform's request. */
export interface Reservation {
  request: CheckoutRequest
  people: CheckoutPeople
  agreed: Agreed
  faults: Message[]
  hold: { id: string; isOwn: boolean; expires_at: Date }
}

/**
 * Checks the platform's request and reserves the slot. If the request updates a UCP checkout, `before` is this checkout
 * before the update.
 */
export const reserve = (context: ChangeContext<Input>, before?: CheckoutRow): Promise<Reservation> =>
  checkAndHold(context, before).catch((error: unknown) => {
    throw withCheckoutPath(error)
  })

async function checkAndHold(context: ChangeContext<Input>, before?: CheckoutRow): Promise<Reservation> {
  const { input, db, business, tag, now } = context
  const { booking } = input
  const definition = await business.get()
  const slot = await slotOf(definition, input, { db, tag, now })
  refuseUnsold(slot, context)
  const { party_size = 1 } = booking
  checkParty(party_size, slot)
  const { hold, isOwn } = await holdFor(context, slot, party_size, before)
  refuseOutsideWindow(slot, hold.created_at)
  const agreed = agreedOn(slot, party_size, hold.price, now)
  refuseUnknownTerm(agreed, context.agent)
  const people = peopleIn(input)
  const request = requestIn(input)
  const faults = [...priceFaults(request, agreed), ...faultsOfPeople(people, slot), ...resourceFaults(request, slot)]
  return { request, people, agreed, faults, hold: { id: hold.id, isOwn, expires_at: hold.expires_at } }
}

/**
 * Finds the slot of the checkout's only line item. A line item of this business is always a service, so it must be the
 * service of the booking.
 */
async function slotOf(
  definition: BusinessDefinition | undefined,
  { line_items, booking }: Input,
  { db, tag, now }: Pick<ChangeContext, 'db' | 'tag' | 'now'>,
): Promise<Slot> {
  const { service_id: service } = booking
  if (!planOf(definition, service))
    throw ucpRefusal('item_unavailable', `There is no service with the id ${service}.`, '$.booking.service_id')
  const other = line_items.findIndex(({ item }) => item.id !== service)
  if (other >= 0 || line_items.length !== 1)
    throw ucpRefusal(
      'item_unavailable',
      'The checkout must have exactly one line item, with the service of the booking.',
      other >= 0 ? `$.line_items[${other}]` : '$.line_items',
    )
  refuseOtherUnit(line_items)
  return findSlot(db, definition, { tag, service, id: booking.slot.id, now })
}

/**
 * Refuses every unit of quantity except C62, the standard code for a piece. Services have no other unit, and the server
 * does not convert units.
 */
function refuseOtherUnit([line]: Input['line_items']): void {
  const { unit, scale = 0 } = line?.item.quantity_unit ?? {}
  if (unit === undefined || (unit === 'C62' && scale === 0)) return
  throw ucpRefusal(
    'quantity_unit_mismatch',
    'A service is sold by the piece (C62). Send quantity without quantity_unit.',
    '$.line_items[0].item.quantity_unit',
  )
}

/**
 * Returns the hold (the reservation of the slot) for a UCP checkout. This is the hold that the platform names, or else
 * the current hold of the checkout. If neither exists, the server creates a new hold.
 */
async function holdFor(
  context: ChangeContext<Input>,
  slot: Slot,
  party: number,
  before: CheckoutRow | undefined,
): Promise<{ hold: HoldRow; isOwn: boolean }> {
  const { input, db, now } = context
  const { hold_id } = input.booking
  const own = before?.owns_hold && before.hold_id !== null ? await holdLockById(db, before.hold_id) : undefined
  const isLive = own !== undefined && holdStatus(own, now) === 'active'
  const isKept = isLive && own.slot_id === slot.id && own.spots === party
  if (isKept && (hold_id === undefined || hold_id === own.id)) return { hold: own, isOwn: true }
  if (isLive) await endHold(db, own.id, now)
  if (hold_id === undefined || hold_id === own?.id) {
    refuseOutsideWindow(slot, now)
    return { hold: refuseOffered(await placeHold(context, slot, party)), isOwn: true }
  }
  const hold = await lockHold(context, hold_id)
  if (await isHoldInUse(db, hold.id, before?.id))
    throw invalidInput('Another checkout uses this hold. Cancel that checkout, or name no hold.', '$.booking.hold_id')
  await refuseUnfitHold(db, hold, { slot, party }, now)
  return { hold, isOwn: false }
}

/**
 * Refuses the hold of a waitlist offer. The offer reserves its slot for one person, so a UCP checkout must not use it.
 */
function refuseOffered(hold: HoldRow): HoldRow {
  if (hold.offer === null) return hold
  const content = 'The waitlist offers this slot to the buyer. Accept the offer, or choose another slot.'
  throw ucpRefusal('slot_unavailable', content, '$.booking.slot')
}

const requestIn = ({ line_items: [line], booking }: Input): CheckoutRequest => ({
  line_id: line?.id ?? 'li_1',
  ...(line?.item.price !== undefined && { shown_price: line.item.price }),
  resource_ids: (booking.resources ?? []).flatMap(({ id }) => id ?? []),
})

const peopleIn = ({ buyer = {}, booking: { recipient, delivery_address, notes } }: Input): CheckoutPeople => ({
  buyer,
  ...(recipient && { recipient }),
  ...(delivery_address && { delivery_address }),
  ...(notes !== undefined && { notes }),
})

/** Reports a fault if the price that the platform showed to the buyer differs from the price of the business. */
function priceFaults({ shown_price: shown }: CheckoutRequest, { price }: Agreed): Message[] {
  if (shown === undefined || shown === price.unit || shown === price.subtotal) return []
  const content = `The price is ${price.unit}, not ${shown}. Show the buyer this price, and send it in line_items.`
  return [errorMessage('price_mismatch', content, '$.line_items[0].item.price')]
}

/** Warns the platform if the quantity in its request differs from the quantity of the checkout. */
export function quantityWarnings({ line_items: [line] }: Input, { price }: Agreed): Message[] {
  if (line?.quantity === undefined || line.quantity === price.quantity) return []
  const content = `The quantity is ${price.quantity}, not ${line.quantity}. A service has the quantity 1, or the number of people if each person pays.`
  return [{ type: 'warning', code: 'quantity_revised', content, path: '$.line_items[0].quantity' }]
}

const resourceFaults = ({ resource_ids }: CheckoutRequest, { time }: Slot): Message[] =>
  resource_ids
    .filter((id) => !time.picks.includes(id))
    .map((id) => errorMessage('invalid', `The slot does not include ${id}.`, '$.booking.resources'))
