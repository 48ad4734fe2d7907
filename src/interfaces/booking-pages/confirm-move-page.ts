import { namedResources } from '../../domain/availability/time-slot-response.ts'
import { type MoveRequest, quoteMove } from '../../domain/bookings/quote-and-reschedule.ts'
import { resourceNames } from '../../domain/bookings/translate-booking-texts.ts'
import { timeRange } from '../../infra/i18n/format-times.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { facts } from '../pages/name-value-list.ts'
import type { View } from '../pages/page-layout.ts'
import { whatIsBooked } from './booking-summary.ts'
import type { PageContext } from './load-booking-page-context.ts'
import { moveButtonText, moveCostText, shownMoveCosts } from './reschedule-costs-and-limits.ts'

export async function confirmMove(
  context: PageContext,
  moveRequest: MoveRequest,
  { db }: Dependencies<'db'>,
  note?: Message,
): Promise<View> {
  const { booking, definition, now, pathOf, localizer } = context
  const { say } = localizer
  const { zone } = booking.record
  const { slot, costs } = await quoteMove(db, booking, moveRequest, now)
  const range = (from: Date, to: Date) => timeRange(localizer, from, to, zone)
  const before = resourceNames(booking, definition, localizer)
  const after = namedResources(slot.plan, slot.time.picks, localizer.locale).map(({ name }) => name)
  return {
    status: note === undefined ? 200 : 409,
    title: say('booking.move.title'),
    body: html`${note !== undefined && html`<p class="note wrong" role="alert">${say(note)}</p>`}
${facts(
  [
    [say('booking.what'), whatIsBooked(context)],
    [say('booking.move.from'), range(booking.starts_at, booking.ends_at)],
    [say('booking.move.to'), range(new Date(slot.time.start), new Date(slot.time.end))],
    [say('booking.with'), after.join() !== before.join() && localizer.list(after)],
  ],
  localizer,
)}
<p class="note">${moveCostText(context, costs)}</p>
<form method="post" action="${pathOf('move')}">
<input type="hidden" name="slot" value="${moveRequest.slotId}">
<input type="hidden" name="terms" value="${shownMoveCosts(costs)}">
<button>${moveButtonText(context, costs)}</button>
</form>
<p><a class="button plain" href="${pathOf('move')}">${say('booking.move.other')}</a></p>
<p><a class="way" href="${pathOf('manage')}">${say('booking.keep')}</a></p>`,
  }
}
