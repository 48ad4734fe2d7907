import { parseUrl } from '../../infra/net/parse-url.ts'

/** Most POSTs of one unit of work to a host at once, and in each second after that. */
const POSTS_A_SECOND = 32

/**
 * Returns the earliest time for each delivery of a unit of work, in the order of the calls. This spreads the deliveries
 * to one host.
 */
export function spreadByHost(now: Date): (callback: string) => Date {
  const sent = new Map<string, number>()
  return (callback) => {
    const host = parseUrl(callback)?.hostname ?? ''
    const before = sent.get(host) ?? 0
    sent.set(host, before + 1)
    return new Date(now.getTime() + Math.floor(before / POSTS_A_SECOND) * 1000)
  }
}
