import type { Localizer } from '../../infra/i18n/localizer.ts'
import { momentText } from '../../infra/i18n/times.ts'
import { secondsOf } from '../../infra/time/units.ts'
import type { BookingRow } from './booking-row.ts'
import { isNothingRefunded, lateCancellationFee } from './policies.ts'

type Agreed = Pick<BookingRow['record'], 'policies' | 'payment' | 'deposit_refundable' | 'fee_waived'>

/**
 * The cost for a buyer who cancels now or later, under the cancellation terms of a booking. A missing member means that
 * this fact does not apply.
 */
export type CancellationFacts =
  | { possible: false }
  | {
      possible: true
      last?: Date
      /** The amount of the deposit in minor units. Set if the business refunds none of the payments. */
      keptDeposit?: number
      /** A fee in minor units, which applies from the instant `from` on. Without `from`, the fee applies already. */
      fee?: { amount: number; from?: Date }
    }

/** Computes the cost of a later cancellation. `cancellationTerms` applies the same rules to the real cancellation. */
export function cancellationFacts(agreed: Agreed, starts: Date, now: Date): CancellationFacts {
  const { allowed, no_cancellation_after, free_cancellation_until } = agreed.policies.cancellation
  const ahead = (duration: string) => new Date(starts.getTime() - secondsOf(duration) * 1000)
  const last = no_cancellation_after === undefined ? undefined : ahead(no_cancellation_after)
  const end = last ?? starts
  if (!allowed || starts <= now || end < now) return { possible: false }
  const free = free_cancellation_until === undefined ? undefined : ahead(free_cancellation_until)
  const keptDeposit = isNothingRefunded(agreed) ? (agreed.payment?.deposit ?? 0) : undefined
  const amount = agreed.fee_waived ? 0 : lateCancellationFee(agreed)
  // The buyer never pays a fee that begins after the last moment to cancel. A fee that the kept deposit covers is no
  // extra cost.
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
