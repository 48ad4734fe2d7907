import { isClaimed } from '../../domain/bookings/booking-amounts-owed.ts'
import { type BookingRow, isBeingChecked } from '../../domain/bookings/booking-row.ts'
import { untilText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Cancellation } from '../../protocol/types.generated.ts'
import { claimedText, deadlineText } from './list-open-tasks.ts'
import type { PageContext } from './load-booking-page-context.ts'

export function stateText(context: PageContext): string {
  const { booking, definition, now, localizer } = context
  const { status, record, expires_at } = booking
  const { name: business } = definition.business
  const { say } = localizer
  switch (status) {
    case 'pending':
      return expires_at
        ? say('booking.pending.by', { business, time: untilText(localizer, expires_at, record.zone, now) })
        : say('booking.pending', { business })
    case 'requires_action':
      if (isBeingChecked(booking, now)) return deadlineText(context)
      return isClaimed(booking) && !hasMoreToDo(booking)
        ? claimedText(context)
        : `${say('booking.requires_action')} ${deadlineText(context)}`
    case 'canceled':
      return canceled(record.cancellation, business, localizer)
    default:
      return say(`booking.${status}`)
  }
}

const hasMoreToDo = ({ record: { tasks } }: BookingRow): boolean =>
  tasks.some(({ type, status }) => type !== 'payment' && status === 'pending')

function canceled(
  { canceled_by: by, reason }: Partial<Cancellation> = {},
  business: string,
  { say }: Localizer,
): string {
  if (by === 'system') return say('booking.canceled.expired')
  if (by !== 'business') return say('booking.canceled')
  return reason === undefined
    ? say('booking.canceled.business', { business })
    : say('booking.canceled.business.why', { business, reason })
}

export const businessMessages = ({ booking: { record }, definition }: PageContext): Content =>
  record.messages
    ?.filter(({ code }) => code !== 'awaiting_approval')
    .map(({ content }) => html`<p dir="auto" lang="${definition.business.language ?? 'en'}">${content}</p>`)
