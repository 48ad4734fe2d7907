import { cancel } from '../../bookings/cancel.ts'
import { lockAndExpire } from '../../bookings/change-booking.ts'
import type { Speech } from '../../languages/speech.ts'
import { untilText } from '../../languages/times.ts'
import type { Cancellation } from '../../protocol/types.generated.ts'
import { upTo } from '../pages/form.ts'
import { type Content, html } from '../pages/html.ts'
import type { View } from '../pages/layout.ts'
import { cancellation, REASON_LENGTH, sealOf, termsOf } from './cancellation.ts'
import { deadlineText, openTasks } from './open-tasks.ts'
import type { PageContext } from './page-context.ts'
import type { PageKind } from './page-kind.ts'
import { summary } from './summary.ts'
import { refund } from './task-status.ts'

/** Where the buyer sees the booking and can cancel it. */
export const manage: PageKind = {
  show: (context) => shown(context),
  async submit(context, form, means) {
    const now = means.clock()
    const disputed = await means.makeChange(async (tx) => {
      const booking = await lockAndExpire(tx, context.booking.id, undefined, now)
      const terms = booking && termsOf(booking, now)
      if (!booking || !terms?.allowed) return undefined
      // What the buyer agreed to is what the page said; it may have been shown long ago.
      if (form.get('terms') !== sealOf(terms)) return booking
      const reason = upTo(REASON_LENGTH, form.get('reason')?.trim() ?? '')
      await cancel(tx, booking, { by: 'buyer', actor: 'buyer', ...(reason && { reason }) }, now)
      return undefined
    })
    return disputed && shown({ ...context, booking: disputed, now }, context.speech.say('booking.cancel.changed'))
  },
}

function shown(context: PageContext, note?: string): View {
  const { booking } = context
  return {
    status: note === undefined ? 200 : 409,
    title: context.speech.say('booking.title'),
    body: html`${note !== undefined && html`<p class="note wrong" role="alert">${note}</p>`}
<p class="note">${state(context)}</p>
${booking.status === 'canceled' && refund(context)}
${notes(context)}
${summary(context)}
${openTasks(context)}
${cancellation(context)}`,
  }
}

function state(context: PageContext): string {
  const { booking, definition, now, speech } = context
  const { status, record, expires_at } = booking
  const { name: business } = definition.business
  const { say } = speech
  switch (status) {
    case 'pending':
      return expires_at
        ? say('booking.pending.by', { business, time: untilText(speech, expires_at, record.zone, now) })
        : say('booking.pending', { business })
    case 'requires_action':
      return `${say('booking.requires_action')} ${deadlineText(context)}`
    case 'canceled':
      return canceled(record.cancellation, business, speech)
    default:
      return say(`booking.${status}`)
  }
}

function canceled({ canceled_by: by, reason }: Partial<Cancellation> = {}, business: string, { say }: Speech): string {
  if (by === 'system') return say('booking.canceled.expired')
  if (by !== 'business') return say('booking.canceled')
  return reason === undefined
    ? say('booking.canceled.business', { business })
    : say('booking.canceled.business.why', { business, reason })
}

/** What the business wants the buyer to know. */
const notes = ({ booking: { record } }: PageContext): Content =>
  record.messages?.filter(({ code }) => code !== 'awaiting_approval').map(({ content }) => html`<p>${content}</p>`)
