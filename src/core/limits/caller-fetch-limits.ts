import type { Dependencies } from '../../protocol/dependencies.ts'
import { countFetchFor, fetchBudget } from './fetch-budget.ts'
import { limitOutboundCalls } from './outbound-calls.ts'
import { limitWaitingCalls } from './waiting-calls.ts'

/** Limits the fetches that callers cause, for one network and for all together. */
export interface CallerFetchLimits {
  /**
   * Counts the fetch for the caller's network, then runs the work. `had` is its number of earlier fetches in this minute.
   */
  counted<T>(address: string, work: (had: number) => Promise<T>): Promise<T>
  /** Runs the work while the call waits for it. Limits the number of waiting calls. */
  awaited<T>(address: string, work: () => Promise<T>): Promise<T>
  spend(url: string, had: number): Promise<void>
}

export function callerFetchLimits({
  config,
  clock,
  ...means
}: Dependencies<'config' | 'clock' | 'db' | 'business' | 'limits'>): CallerFetchLimits {
  const budget = fetchBudget(means.db)
  return {
    counted: (address, work) =>
      limitOutboundCalls(address, async () => work(await countFetchFor(address, means, clock()))),
    awaited: limitWaitingCalls(config),
    spend: (url, had) => budget.spend(url, had, clock()),
  }
}
