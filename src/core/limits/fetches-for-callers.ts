import type { Means } from '../../protocol/means.ts'
import { countFetchFor, fetchBudget } from './fetch-budget.ts'
import { limitOutboundCalls } from './outbound-calls.ts'
import { limitWaitingCalls } from './waiting-calls.ts'

/** What callers have this server fetch, of whatever kind: it is bounded for one of them, and for all together. */
export interface FetchesForCallers {
  /** Does the work for the address that named what is fetched, once it was counted; it is told how many the network had before. */
  counted<T>(address: string, work: (had: number) => Promise<T>): Promise<T>
  /** Lets so many calls do nothing but wait for it. */
  awaited<T>(address: string, work: () => Promise<T>): Promise<T>
  /** Counts the fetch of something that is not known yet, for a network that had so many before. */
  spend(url: string, had: number): Promise<void>
}

export function fetchesForCallers({
  config,
  clock,
  ...means
}: Means<'config' | 'clock' | 'db' | 'business' | 'limits'>): FetchesForCallers {
  const budget = fetchBudget(means.db)
  return {
    counted: (address, work) =>
      limitOutboundCalls(address, async () => work(await countFetchFor(address, means, clock()))),
    awaited: limitWaitingCalls(config),
    spend: (url, had) => budget.spend(url, had, clock()),
  }
}
