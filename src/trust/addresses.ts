import ipaddr from 'ipaddr.js'

/** All that was ever given out of IPv6; the IPv4-compatible ::127.0.0.1 and the like lie outside. */
const allocated = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address belongs to the public internet. Every special-use range (RFC 6890) counts as inside. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address) // IPv4 in IPv6 clothing is judged as IPv4
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(allocated))
}

/** Whether an address in a URL names this machine; not that a name leads to it. */
export const isThisMachine = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)

export const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'
