import ipaddr from 'ipaddr.js'

/** All allocated IPv6 unicast addresses. IPv4-compatible addresses such as ::127.0.0.1 are outside. */
const allocated = ipaddr.IPv6.parseCIDR('2000::/3')

/** Ranges that look public but lead to services of a cloud, and only from inside that cloud. */
const CLOUD_RANGES = [
  '168.63.129.16/32', // Azure: platform services for its virtual machines
  '161.26.0.0/16', // IBM Cloud: nameservers, time, packages
  '166.8.0.0/14', // IBM Cloud: private endpoints of its services
  '199.36.153.4/30', // Google Cloud: its services, restricted
  '199.36.153.8/30', // Google Cloud: its services, private
  '2600:2d00:2:1000::/64', // the same two
  '2600:2d00:2:2000::/64',
].map((range) => ipaddr.parseCIDR(range))

/** Whether an address belongs to the public internet. Special-use ranges (RFC 6890) do not. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address) // treats an IPv4-mapped IPv6 address as IPv4
  if (CLOUD_RANGES.some(([first, bits]) => parsed.kind() === first.kind() && parsed.match(first, bits))) return false
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(allocated))
}

/** Whether a URL names this machine literally. It does not resolve names. */
export const isThisMachine = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)

export const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'

/**
 * The network that limits count as one caller. An IPv6 subscriber usually has a /56 and may use another address for each
 * call.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const [first = 0, second = 0, third = 0, fourth = 0] = parsed.parts
  return `${new ipaddr.IPv6([first, second, third, fourth & 0xff00, 0, 0, 0, 0])}/56`
}
