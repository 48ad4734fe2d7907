import { paymentFor } from '../../domain/pricing/booking-price.ts'
import { totalOf } from '../../domain/pricing/payment-amounts.ts'
import { acceptOffer } from '../../domain/waitlist/accept-offer.ts'
import { declineOffer } from '../../domain/waitlist/decline-offer.ts'
import { getWaitlistEntry } from '../../domain/waitlist/get-entry.ts'
import { leaveWaitlist } from '../../domain/waitlist/leave-waitlist.ts'
import { englishLocalizer } from '../../infra/i18n/localizer.ts'
import type { WaitlistEntry } from '../../protocol/types.generated.ts'
import { callOperation } from './call-operation.ts'
import { costInput } from './cancel-booking-tool.ts'
import { chosenOf, chosenText } from './chosen-slot.ts'
import { bookingData, bookingText } from './describe-booking.ts'
import { entryData } from './describe-waitlist-entry.ts'
import { lines } from './quote-untrusted-text.ts'
import { ownBooking, requireAgreedCost } from './require-account.ts'
import { defineTool, type ToolContext, ToolError, type ToolResult } from './tool-definition.ts'

interface Input {
  entry_id: string
  accept: boolean
  agreed_cost?: number
}

export const answerOffer = defineTool<Input>({
  name: 'answer_offer',
  title: 'Answer an offer, or leave the waitlist',
  description:
    'Accepts or declines a place that the waitlist offers, as the person decides. With accept=false, an entry ' +
    'without an offer leaves the waitlist. Accepting books the place. If that costs something, the first call ' +
    'only states the cost.',
  needsAccount: true,
  input: {
    required: ['entry_id', 'accept'],
    properties: {
      entry_id: { type: 'string', maxLength: 100, description: 'From my_bookings.' },
      accept: { type: 'boolean' },
      agreed_cost: costInput,
    },
  },
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ entry_id, accept, agreed_cost }, toolContext) {
    const found = await callOperation(getWaitlistEntry, { entry_id }, toolContext)
    if (found.refusal) throw new ToolError(found.refusal.content)
    const { entry } = found.result
    if (!accept) return entry.status === 'offered' ? decline(entry, toolContext) : leave(entry, toolContext)
    // The cost of the offer depends on the business definition (services and prices). The cached definition can be
    // older than the offer. Therefore the server reads the current definition from the database.
    const definition =
      (await toolContext.dependencies.business.seenBy(toolContext.dependencies.db)) ?? toolContext.definition
    refuseUnlessAgreed(entry, agreed_cost, { ...toolContext, definition })
    const accepted = await callOperation(acceptOffer, { entry_id }, toolContext)
    if (accepted.refusal) throw new ToolError(accepted.refusal.content)
    const booking = await ownBooking(accepted.result.booking.id, toolContext)
    return { text: lines('Booked:', bookingText(booking, toolContext)), data: bookingData(booking, toolContext) }
  },
})

/**
 * Throws an error if the person has not agreed to the cost of the slot that the waitlist offers. An offered slot costs
 * the same as a direct booking of this slot.
 */
function refuseUnlessAgreed(
  { offered_slot }: WaitlistEntry,
  agreed: number | undefined,
  toolContext: ToolContext,
): void {
  const slot_id = offered_slot?.slot_id
  if (slot_id === undefined) throw new ToolError('There is no offer now. Call my_bookings for the current offers.')
  const chosen = chosenOf(toolContext, { slot_id })
  const payment = paymentFor({ plan: chosen.plan, time: chosen.key }, 1)
  if (!payment) return
  const { currency } = payment
  const cost = totalOf(payment)
  const words = `Accepting costs ${englishLocalizer().money(cost, currency)}: ${chosenText(chosen)}.`
  requireAgreedCost(cost, words, { agreed, tool: 'answer_offer', currency })
}

async function decline({ id: entry_id }: WaitlistEntry, toolContext: ToolContext): Promise<ToolResult> {
  const declined = await callOperation(declineOffer, { entry_id }, toolContext)
  if (declined.refusal) throw new ToolError(declined.refusal.content)
  return { text: 'Declined: the place is offered to the next entry.', data: entryData(declined.result.entry) }
}

async function leave({ id: entry_id }: WaitlistEntry, toolContext: ToolContext): Promise<ToolResult> {
  const left = await callOperation(leaveWaitlist, { entry_id }, toolContext)
  if (left.refusal) throw new ToolError(left.refusal.content)
  return { text: 'The person has left the waitlist.', data: { entry_id, status: 'removed' } }
}
