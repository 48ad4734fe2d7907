import type { Localizer } from '../../infra/i18n/localizer.ts'
import { momentText } from '../../infra/i18n/times.ts'
import { secondsOf } from '../../infra/time/units.ts'
import type { BookingRow } from './booking-row.ts'
import { isNothingRefunded, lateCancellationFee } from './policies.ts'

type Agreed = Pick<BookingRow['record'], 'policies' | 'payment' | 'deposit_refundable' | 'fee_waived'>

/**
 * The cost for a buyer who cancels now or later, by the cancellation terms of a booking. A missing member means that
 * the fact does not apply.
 */
export type CancellationFacts =
  | { possible: false }
  | {
      possible: true
      last?: Date
      /** The amount of the deposit, in minor units. Set if the business refunds nothing of the payments. */
      keptDeposit?: number
      /** A fee in minor units. It applies from the instant `from` on. If `from` is missing, the fee applies already. */
      fee?: { amount: number; from?: Date }
    }

/**
 * Computes the cost of a cancellation in advance, by the rules that `cancellationTerms` applies when the buyer cancels.
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
  // If a fee begins only after the last moment to cancel, the buyer never pays it. If the kept deposit covers the fee,
  // the fee is no extra cost.
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
