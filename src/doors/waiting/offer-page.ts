import { findSlot } from '../../availability/find-slot.ts'
import { html } from '../../basics/html.ts'
import { paymentFor } from '../../bookings/price.ts'
import { untilText } from '../../languages/times.ts'
import { Outcome } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import { needsAddress, type Written } from '../book/buyer-form.ts'
import { addressFields } from '../book/fields.ts'
import type { View } from '../pages/layout.ts'
import { minutesLeft } from '../pages/minutes-left.ts'
import { orderText } from '../pages/order-button.ts'
import { legalLine } from '../pages/policy-items.ts'
import { slotSummary } from '../pages/slot-summary.ts'
import type { EntryContext } from './entry-context.ts'

/** What came free for somebody who waits, how long it is kept, and the form that takes it. */
export async function offerPage(
  context: EntryContext,
  { db, tag }: Means<'db' | 'tag'>,
  written: Written,
): Promise<View | undefined> {
  const { entry, definition, plan, now, path, speech } = context
  const { say } = speech
  const slot = await offered(context, { db, tag })
  const { offer_expires_at: until, offered_slot_id } = entry
  if (!slot || !plan || !until) return undefined
  const payment = paymentFor(slot, 1)
  const isAsked = plan.service.policies.confirmation_mode === 'manual'
  const faulty = written.faults.size
  return {
    status: faulty > 0 ? 422 : 200,
    title: say('waiting.offer'),
    body: html`${faulty > 0 && html`<p class="note wrong" role="alert">${say('book.details.wrong', { count: faulty })}</p>`}
<p class="note" role="timer">${minutesLeft(until, now, 'waiting.over', speech)} ${say('waiting.offer.until', { time: untilText(speech, until, definition.business.timezone, now) })}</p>
${slotSummary(slot, { party: 1 }, speech)}
<form method="post" novalidate>
<input type="hidden" name="slot" value="${offered_slot_id}">
${needsAddress(plan.service) && addressFields(written, speech)}
${legalLine(definition, speech)}
<button>${orderText({ payment, isAsked, free: 'waiting.offer.accept' }, speech)}</button>
</form>
<p><a class="button plain" href="${path}/decline">${say('waiting.offer.decline')}</a></p>`,
  }
}

/** The offered slot; nothing where the schedule does not have it any more. */
async function offered({ entry, definition, now }: EntryContext, { db, tag }: Means<'db' | 'tag'>) {
  try {
    return await findSlot(db, definition, { tag, service: entry.service_id, id: entry.offered_slot_id ?? '', now })
  } catch (error) {
    if (error instanceof Outcome) return undefined
    throw error
  }
}
