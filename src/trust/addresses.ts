import ipaddr from 'ipaddr.js'

/** Whether an address belongs to the public internet. Every special-use range (RFC 6890) counts as inside. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address) // IPv4 in IPv6 clothing is judged as IPv4
  return parsed.range() === 'unicast'
}

export const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'
