import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * From where a request came. Each proxy writes down at the right end of X-Forwarded-For who called it, so it is read from
 * there, and for as long as whoever wrote it is trusted: the rest may be anybody's invention. Where a proxy wrote what is no
 * address, its own is the last that is known.
 */
export function callerAddress(peer: string, forwardedFor: string, isTrusted: (address: string) => boolean): string {
  const hops = forwardedFor.split(',')
  let address = peer
  while (isTrusted(address)) {
    const next = addressIn(hops.pop() ?? '')
    if (next === undefined) return address
    address = next
  }
  return address
}

/** Some proxies add the port, by which one caller would be many. */
function addressIn(hop: string): string | undefined {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(hop.trim()) ?? []
  const address = bracketed ?? withPort ?? hop.trim()
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}
