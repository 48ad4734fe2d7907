import type { Speech } from '../../infra/i18n/speech.ts'
import { momentText } from '../../infra/i18n/times.ts'
import { secondsOf } from '../../infra/time/duration.ts'
import type { BookingRow } from './booking-row.ts'
import { keepsAll } from './policies.ts'

type Agreed = Pick<BookingRow['record'], 'policies' | 'payment' | 'deposit_refundable' | 'fee_waived'>

/** What canceling costs from now on, by the terms of a booking; what does not apply is missing. */
export type CancelingFacts =
  | { possible: false }
  | {
      possible: true
      /** From then on it cannot be canceled. */
      last?: Date
      /** Of this deposit, and of what else is paid by then, nothing is given back. */
      kept?: number
      /** What is charged, from the instant on or already. */
      fee?: { amount: number; from?: Date }
    }

/** The same as `cancellationTerms` will reckon, said before anybody cancels. */
export function cancelingFacts(agreed: Agreed, starts: Date, now: Date): CancelingFacts {
  const { allowed, no_cancellation_after, free_cancellation_until, late_cancellation_fee } =
    agreed.policies.cancellation
  const ahead = (duration: string) => new Date(starts.getTime() - secondsOf(duration) * 1000)
  const last = no_cancellation_after === undefined ? undefined : ahead(no_cancellation_after)
  const end = last ?? starts
  if (!allowed || starts <= now || end < now) return { possible: false }
  const free = free_cancellation_until === undefined ? undefined : ahead(free_cancellation_until)
  const kept = keepsAll(agreed) ? (agreed.payment?.deposit ?? 0) : undefined
  const amount = agreed.fee_waived ? 0 : (late_cancellation_fee ?? 0)
  // A fee that begins when canceling ends is never charged; one that the kept deposit covers is no cost of its own.
  const isCharged = free !== undefined && free < end && amount > (kept ?? 0)
  return {
    possible: true,
    ...(last && { last }),
    ...(kept !== undefined && { kept }),
    ...(isCharged && { fee: { amount, ...(free >= now && { from: free }) } }),
  }
}

/** The facts in words, a sentence each. */
export function cancelingText(
  facts: CancelingFacts,
  { zone, currency }: { zone: string; currency: string },
  speech: Speech,
): string[] {
  const { say, money } = speech
  if (!facts.possible) return [say('canceling.never')]
  const { last, kept, fee } = facts
  const told = (instant: Date) => momentText(speech, instant, zone)
  const costs = fee && { fee: money(fee.amount, currency), time: fee.from ? told(fee.from) : '' }
  return [
    ...(kept === undefined ? [] : [say('canceling.kept', { deposit: money(kept, currency) })]),
    ...(costs && !fee.from ? [say('canceling.costs', costs)] : []),
    ...(costs && fee.from ? [say(kept === undefined ? 'canceling.free_until' : 'canceling.costs_from', costs)] : []),
    ...(!fee && kept === undefined ? [say('canceling.free')] : []),
    ...(last ? [say('canceling.last', { time: told(last) })] : []),
  ]
}
