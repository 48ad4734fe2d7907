import { cancel } from '../../bookings/cancel.ts'
import { lockAndExpire } from '../../bookings/change-booking.ts'
import type { Cancellation } from '../../protocol/types.generated.ts'
import { upTo } from '../pages/form.ts'
import { formatUntil } from '../pages/format.ts'
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
    return disputed && shown({ ...context, booking: disputed, now }, CHANGED)
  },
}

const CHANGED = 'What canceling costs has changed since this page was opened. Please look at it once more.'

function shown(context: PageContext, note?: string): View {
  const { booking } = context
  return {
    status: note === undefined ? 200 : 409,
    title: 'Your booking',
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
  const { booking, definition, now } = context
  const { status, record, expires_at } = booking
  const { name } = definition.business
  const by = expires_at ? ` by ${formatUntil(expires_at, record.zone, now)}` : ''
  switch (status) {
    case 'pending':
      return `Waiting for ${name}: you get an answer${by}.`
    case 'requires_action':
      return `Almost there: it stands once the steps below are done. ${deadlineText(context)}`
    case 'confirmed':
      return 'Confirmed. See you then!'
    case 'in_progress':
      return 'It is under way.'
    case 'completed':
      return 'Completed. Thank you for coming!'
    case 'no_show':
      return 'This appointment was missed.'
    case 'canceled':
      return canceled(record.cancellation, name)
  }
}

function canceled({ canceled_by: by, reason }: Partial<Cancellation> = {}, name: string): string {
  if (by === 'system') return 'Canceled: it was not completed in time.'
  if (by !== 'business') return 'Canceled.'
  return reason === undefined ? `Canceled by ${name}.` : `Canceled by ${name}: ${reason}`
}

/** What the business wants the buyer to know. */
const notes = ({ booking: { record } }: PageContext): Content =>
  record.messages?.filter(({ code }) => code !== 'awaiting_approval').map(({ content }) => html`<p>${content}</p>`)
