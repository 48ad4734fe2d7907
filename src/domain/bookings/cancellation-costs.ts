import { momentText } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { secondsOf } from '../../infra/time/time-units.ts'
import type { BookingRow } from './booking-row.ts'
import { isNothingRefunded, lateCancellationFee } from './cancel-and-reschedule-rules.ts'

type Agreed = Pick<BookingRow['record'], 'policies' | 'payment' | 'deposit_refundable' | 'fee_waived'>

/**
 * The costs of a cancellation for the buyer under the terms of the booking, now or later. Properties that do not apply
 * to this booking are missing.
 */
export type CancellationFacts =
  | { possible: false }
  | {
      possible: true
      last?: Date
      /**
       * The deposit that the business keeps after a cancellation, in minor units such as cents. Set only if the
       * business refunds no payment.
       */
      keptDeposit?: number
      /**
       * The cancellation fee, in minor units such as cents. The fee applies from the instant `from` on. Without `from`,
       * the fee already applies now.
       */
      fee?: { amount: number; from?: Date }
    }

/**
 * Computes the costs of a cancellation, but does not cancel the booking. For a real cancellation, `cancellationTerms`
 * applies the same rules.
 */
export function cancellationFacts(agreed: Agreed, starts: Date, now: Date): CancellationFacts {
  const { allowed, no_cancellation_after, free_cancellation_until } = agreed.policies.cancellation
  const ahead = (duration: string) => new Date(starts.getTime() - secondsOf(duration) * 1000)
  const last = no_cancellation_after === undefined ? undefined : ahead(no_cancellation_after)
  const end = last ?? starts
  if (!allowed || starts <= now || end < now) return { possible: false }
  const free = free_cancellation_until === undefined ? undefined : ahead(free_cancellation_until)
  const keptDeposit = isNothingRefunded(agreed) ? (agreed.payment?.deposit ?? 0) : undefined
  const amount = agreed.fee_waived ? 0 : lateCancellationFee(agreed)
  // `end` is the last moment to cancel. A fee that begins later never applies. If the business keeps a deposit that is
  // at least as high as the fee, the fee adds no cost.
  const isCharged = free !== undefined && free < end && amount > (keptDeposit ?? 0)
  return {
    possible: true,
    ...(last && { last }),
    ...(keptDeposit !== undefined && { keptDeposit }),
    ...(isCharged && { fee: { amount, ...(free >= now && { from: free }) } }),
  }
}

export function cancellationText(
  facts: CancellationFacts,
  { zone, currency }: { zone: string; currency: string },
  localizer: Localizer,
): string[] {
  const { say, money } = localizer
  if (!facts.possible) return [say('canceling.never')]
  const { last, keptDeposit, fee } = facts
  const timeText = (instant: Date) => momentText(localizer, instant, zone)
  const costs = fee && { fee: money(fee.amount, currency), time: fee.from ? timeText(fee.from) : '' }
  return [
    ...(keptDeposit === undefined ? [] : [say('canceling.kept', { deposit: money(keptDeposit, currency) })]),
    ...(costs && !fee.from ? [say('canceling.costs', costs)] : []),
    ...(costs && fee.from
      ? [say(keptDeposit === undefined ? 'canceling.free_until' : 'canceling.costs_from', costs)]
      : []),
    ...(!fee && keptDeposit === undefined ? [say('canceling.free')] : []),
    ...(last ? [say('canceling.last', { time: timeText(last) })] : []),
  ]
}
