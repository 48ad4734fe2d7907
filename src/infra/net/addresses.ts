import ipaddr from 'ipaddr.js'

/** All that was ever given out of IPv6; the IPv4-compatible ::127.0.0.1 and the like lie outside. */
const allocated = ipaddr.IPv6.parseCIDR('2000::/3')

/** Public by their number, but reached from within a cloud alone, where they lead to its own services. */
const ofClouds = [
  '168.63.129.16/32', // Azure: tells its machines who they are
  '161.26.0.0/16', // IBM Cloud: nameservers, time, packages
  '166.8.0.0/14', // IBM Cloud: private endpoints of its services
  '199.36.153.4/30', // Google Cloud: its services, restricted
  '199.36.153.8/30', // Google Cloud: its services, private
  '2600:2d00:2:1000::/64', // the same two
  '2600:2d00:2:2000::/64',
].map((range) => ipaddr.parseCIDR(range))

/** Whether an address belongs to the public internet. Every special-use range (RFC 6890) counts as inside. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address) // IPv4 in IPv6 clothing is judged as IPv4
  if (ofClouds.some(([first, bits]) => parsed.kind() === first.kind() && parsed.match(first, bits))) return false
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(allocated))
}

/** Whether an address in a URL names this machine; not that a name leads to it. */
export const isThisMachine = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)

export const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'

/** As what callers are counted: of IPv6 a subscriber has a /56 as a rule, and may call from another address each time. */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const [first = 0, second = 0, third = 0, fourth = 0] = parsed.parts
  return `${new ipaddr.IPv6([first, second, third, fourth & 0xff00, 0, 0, 0, 0])}/56`
}
