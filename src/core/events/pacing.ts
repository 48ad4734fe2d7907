import { parseUrl } from '../../infra/net/parse-url.ts'

/** So many POSTs of one change go to a host at once, and so many more each second. */
const POSTS_A_SECOND = 32

/** From when on each of many may be sent, in the order in which they are asked for: one host is not called for all at once. */
export function pacing(now: Date): (callback: string) => Date {
  const sent = new Map<string, number>()
  return (callback) => {
    const host = parseUrl(callback)?.hostname ?? ''
    const before = sent.get(host) ?? 0
    sent.set(host, before + 1)
    return new Date(now.getTime() + Math.floor(before / POSTS_A_SECOND) * 1000)
  }
}
