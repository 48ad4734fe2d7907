import { namedResources } from '../../availability/time-slot.ts'
import { type Content, html } from '../../basics/html.ts'
import { resourceNames, serviceName } from '../../bookings/names.ts'
import { type MoveWish, quoteMove } from '../../bookings/reschedule.ts'
import type { Message } from '../../languages/catalogue.ts'
import { timeRange } from '../../languages/times.ts'
import type { Means } from '../../protocol/means.ts'
import type { View } from '../pages/layout.ts'
import { moveCostText, sealOfMove } from './moving.ts'
import type { PageContext } from './page-context.ts'

/** The old time and the new one, what it costs, and the form that moves. */
export async function confirmMove(
  context: PageContext,
  wish: MoveWish,
  { db }: Means<'db'>,
  note?: Message,
): Promise<View> {
  const { booking, definition, now, pathOf, speech } = context
  const { say } = speech
  const { zone } = booking.record
  const { slot, costs } = await quoteMove(db, booking, wish, now)
  const range = (from: Date, to: Date) => timeRange(speech, from, to, zone)
  const before = resourceNames(booking, definition, speech)
  const after = namedResources(slot.plan, slot.time.picks, speech.locale).map(({ name }) => name)
  const row = (name: string, text: string): Content => html`<div><dt>${name}</dt><dd>${text}</dd></div>`
  return {
    status: note === undefined ? 200 : 409,
    title: say('booking.move.title'),
    body: html`${note !== undefined && html`<p class="note wrong" role="alert">${say(note)}</p>`}
<dl>${row(say('booking.what'), serviceName(booking, definition, speech))}
${row(say('booking.move.from'), range(booking.starts_at, booking.ends_at))}
${row(say('booking.move.to'), range(new Date(slot.time.start), new Date(slot.time.end)))}
${after.length > 0 && after.join() !== before.join() && row(say('booking.with'), speech.list(after))}</dl>
<p class="note">${moveCostText(context, costs)}</p>
<form method="post" action="${pathOf('move')}">
<input type="hidden" name="slot" value="${wish.slotId}">
<input type="hidden" name="terms" value="${sealOfMove(costs)}">
<button>${say('booking.move.do')}</button>
</form>
<p><a class="button plain" href="${pathOf('move')}">${say('booking.move.other')}</a></p>
<p><a class="way" href="${pathOf('manage')}">${say('booking.keep')}</a></p>`,
  }
}
