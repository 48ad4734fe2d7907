import { isUnresolved } from '../../domain/bookings/lifecycle.ts'
import { untilText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { Booking } from '../../protocol/types.generated.ts'

interface Shown {
  localizer: Localizer
  zone: string
  now: Date
  /** Whether the buyer reported a manual payment that staff have not confirmed or rejected yet. */
  isClaimed?: boolean
}

/**
 * For an unconfirmed booking: says who must do what, and until when. For example: "Not paid yet: $47.91 by 10:30".
 * Returns undefined for all other bookings.
 */
export function waitingText(
  { status, actions = [], expires_at }: Booking,
  { localizer, zone, now, isClaimed = false }: Shown,
): string | undefined {
  const { say, money } = localizer
  if (!isUnresolved(status) || expires_at === undefined || Date.parse(expires_at) <= now.getTime()) return undefined
  const time = untilText(localizer, new Date(expires_at), zone, now)
  if (status === 'pending') return say('open.answer', { time })
  const open = actions.filter((action) => action.status === 'pending')
  const payment = open.find(({ type }) => type === 'payment')?.payment_context
  if (!payment) return say('open.customer', { time })
  const amount = money(payment.amount_due, payment.currency)
  return say(isClaimed && open.length === 1 ? 'open.check' : 'open.payment', { amount, time })
}
