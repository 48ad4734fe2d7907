import { cancel } from '../../bookings/cancel.ts'
import { lockAndExpire } from '../../bookings/change-booking.ts'
import type { Cancellation } from '../../protocol/types.generated.ts'
import { cancellation, REASON_LENGTH, sealOf, termsOf } from './cancellation.ts'
import { upTo } from './form.ts'
import { type Content, html } from './html.ts'
import type { View } from './layout.ts'
import type { PageKind } from './page-kind.ts'
import { refund } from './standing.ts'
import { deadline, steps } from './steps.ts'
import { summary } from './summary.ts'
import type { Visit } from './visit.ts'
import { until } from './words.ts'

/** Where the buyer sees the booking and can cancel it. */
export const manage: PageKind = {
  show: (visit) => shown(visit),
  async submit(visit, form, means) {
    const now = means.clock()
    const disputed = await means.makeChange(async (tx) => {
      const booking = await lockAndExpire(tx, visit.booking.id, undefined, now)
      const terms = booking && termsOf(booking, now)
      if (!booking || !terms?.allowed) return undefined
      // What the buyer agreed to is what the page said; it may have been shown long ago.
      if (form.get('terms') !== sealOf(terms)) return booking
      const reason = upTo(REASON_LENGTH, form.get('reason')?.trim() ?? '')
      await cancel(tx, booking, { by: 'buyer', actor: 'buyer', ...(reason && { reason }) }, now)
      return undefined
    })
    return disputed && shown({ ...visit, booking: disputed, now }, CHANGED)
  },
}

const CHANGED = 'What canceling costs has changed since this page was opened. Please look at it once more.'

function shown(visit: Visit, note?: string): View {
  const { booking } = visit
  return {
    status: note === undefined ? 200 : 409,
    title: 'Your booking',
    body: html`${note !== undefined && html`<p class="note wrong" role="alert">${note}</p>`}
<p class="note">${state(visit)}</p>
${booking.status === 'canceled' && refund(visit)}
${notes(visit)}
${summary(visit)}
${steps(visit)}
${cancellation(visit)}`,
  }
}

function state(visit: Visit): string {
  const { booking, definition, now } = visit
  const { status, record, expires_at } = booking
  const { name } = definition.business
  const by = expires_at ? ` by ${until(expires_at, record.zone, now)}` : ''
  switch (status) {
    case 'pending':
      return `Waiting for ${name}: you get an answer${by}.`
    case 'requires_action':
      return `Almost there: it stands once the steps below are done. ${deadline(visit)}`
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
const notes = ({ booking: { record } }: Visit): Content =>
  record.messages?.filter(({ code }) => code !== 'awaiting_approval').map(({ content }) => html`<p>${content}</p>`)
