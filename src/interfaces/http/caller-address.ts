import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Finds the address that a request came from. Each proxy appends its caller's address at the right end of X-Forwarded-For.
 * The server reads the list from the right and stops at the first untrusted address: a client can invent the rest. When a
 * proxy wrote something that is not an address, the proxy's own address is the result.
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

/** Some proxies append the port. Without removing it, one caller would count as many. */
function addressIn(hop: string): string | undefined {
  const [, bracketed, withPort] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(hop.trim()) ?? []
  const address = bracketed ?? withPort ?? hop.trim()
  return isIP(address) === 0 ? undefined : ipaddr.process(address).toString()
}
