import { findSlot, type Slot } from '../../domain/availability/find-slot.ts'
import { paymentFor } from '../../domain/pricing/booking-price.ts'
import type { EntryRow } from '../../domain/waitlist/queries.ts'
import { untilText } from '../../infra/i18n/format-times.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { isRefusal } from '../../protocol/errors.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { type BuyerForm, needsAddress } from '../booking-flow/buyer-form.ts'
import { addressFields, detailsSummary } from '../booking-flow/buyer-form-fields.ts'
import type { View } from '../pages/page-layout.ts'
import { legalLine } from '../pages/policy-and-legal-links.ts'
import { minutesLeft, orderText, slotSummary } from '../pages/slot-summary.ts'
import type { EntryContext } from './load-entry-page-context.ts'

export async function offerPage(
  context: EntryContext,
  { db, tag }: Dependencies<'db' | 'tag'>,
  buyerForm: BuyerForm,
  note?: Message,
): Promise<View | undefined> {
  const { entry, definition, plan, now, path, localizer } = context
  const { say } = localizer
  const slot = await findOfferedSlot(context, { db, tag })
  const { offer_expires_at: until, offered_slot_id } = entry
  if (!slot || !plan || !until) return undefined
  const payment = paymentFor(slot, 1)
  const isAsked = plan.service.policies.confirmation_mode === 'manual'
  const faulty = buyerForm.faults.size
  return {
    status: note === undefined ? (faulty > 0 ? 422 : 200) : 409,
    title: say('waiting.offer'),
    body: html`${note !== undefined && html`<p class="note wrong" role="alert">${say(note)}</p>`}
${detailsSummary(buyerForm, localizer)}
<p class="note" role="timer">${minutesLeft(until, now, 'waiting.over', localizer)} ${say('waiting.offer.until', { time: untilText(localizer, until, definition.business.timezone, now) })}</p>
${slotSummary(slot, { party: 1 }, localizer)}
<form method="post" novalidate>
<input type="hidden" name="slot" value="${offered_slot_id}">
<input type="hidden" name="terms" value="${shownPrice(slot)}">
${needsAddress(plan.service) && addressFields(buyerForm, localizer)}
${legalLine(definition, localizer)}
<button>${orderText({ payment, isAsked, free: 'waiting.offer.accept' }, localizer)}</button>
</form>
<p><a class="button plain" href="${path}/decline">${say('waiting.offer.decline')}</a></p>`,
  }
}

/**
 * Returns the price of the offered slot as a form value. The form sends this value back, so the server can detect a
 * changed price.
 */
export function shownPrice(slot: Slot): string {
  const payment = paymentFor(slot, 1)
  return payment ? `${payment.timing} ${payment.currency} ${payment.amount} ${payment.tax} ${payment.due}` : ''
}

interface Offered {
  entry: EntryRow
  definition: BusinessDefinition | undefined
  now: Date
}

/** Finds the slot that the waitlist offers to the buyer. Returns undefined if the slot is no longer in the schedule. */
export async function findOfferedSlot({ entry, definition, now }: Offered, { db, tag }: Dependencies<'db' | 'tag'>) {
  try {
    return await findSlot(db, definition, { tag, service: entry.service_id, id: entry.offered_slot_id ?? '', now })
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}
