import ipaddr from 'ipaddr.js'
import { getDomain } from 'tldts'

/**
 * The range of all IPv6 unicast addresses that are allocated for the internet. IPv4-compatible addresses such as
 * `::127.0.0.1` are outside the range.
 */
const allocated = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * IP addresses that look public, but lead to internal services of a cloud provider. Only machines in the cloud of this
 * provider can reach them.
 */
const CLOUD_RANGES = [
  '168.63.129.16/32', // Azure uses this address for services to its virtual machines.
  '161.26.0.0/16', // IBM Cloud uses this range for nameservers, time servers and packages.
  '166.8.0.0/14', // IBM Cloud uses this range for private endpoints of its services.
  '199.36.153.4/30', // Google Cloud uses this range for restricted access to its services.
  '199.36.153.8/30', // Google Cloud uses this range for private access to its services.
  '2600:2d00:2:1000::/64', // Google Cloud uses this range and the next one for its services over IPv6.
  '2600:2d00:2:2000::/64',
].map((range) => ipaddr.parseCIDR(range))

/**
 * Whether an IP address belongs to the public internet and has no special purpose (RFC 6890). In production, the server
 * sends requests only to such addresses, because callers can choose the URLs of these requests.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.process(address) // Converts an IPv4-mapped IPv6 address to IPv4.
  if (CLOUD_RANGES.some(([first, bits]) => parsed.kind() === first.kind() && parsed.match(first, bits))) return false
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(allocated))
}

/** Whether the host in a URL is `localhost` or a loopback address of this machine. Does not look up other names. */
export const isThisMachine = ({ hostname }: URL): boolean => ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)

export const isLoopback = (address: string): boolean => ipaddr.process(address).range() === 'loopback'

/**
 * Returns the IP address range that counts as one caller for limits. For IPv6, this is the /56 range of the address. An
 * internet subscriber usually has such a whole range, and can use another address for each call.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const [first = 0, second = 0, third = 0, fourth = 0] = parsed.parts
  return `${new ipaddr.IPv6([first, second, third, fourth & 0xff00, 0, 0, 0, 0])}/56`
}

/**
 * Returns the registered domain of a host name, such as `example.com` for `shop.example.com`. Limits count the whole
 * domain as one site, because its owner can create subdomains at no cost. If a company gives subdomains to other
 * people, each of these subdomains is a separate site. An IP address is also a site.
 */
export const siteOf = (host: string): string => getDomain(host, { allowPrivateDomains: true }) ?? host

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal']

/**
 * The minimum prefix length of a range of trusted proxies, for IPv4 and for IPv6. The largest private networks have
 * these lengths. The server believes the caller address that a trusted proxy states. With a larger range, many machines
 * on the internet could forge this address.
 */
const MIN_PREFIX_BITS = { ipv4: 8, ipv6: 7 }

/**
 * Whether each item in the list of trusted proxies is an IP address, a named range, or a range that is small enough.
 */
export const areProxyRanges = (list: string[]): boolean =>
  list.every((one) => NAMED_RANGES.includes(one) || isNarrow(one))

function isNarrow(range: string): boolean {
  const [address = '', bits, ...more] = range.split('/')
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false
  if (more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false
  if (bits === undefined) return true
  const parsed = ipaddr.parse(address)
  const most = parsed.kind() === 'ipv4' ? 32 : 128
  const fewest = hasMapped(parsed, Number(bits)) ? MAPPED_BITS + MIN_PREFIX_BITS.ipv4 : MIN_PREFIX_BITS[parsed.kind()]
  return Number(bits) >= fewest && Number(bits) <= most
}

/**
 * The first address of the range `::ffff:0:0/96`, which contains IPv4 addresses in IPv6 form. The server compares
 * trusted proxies in this range by their IPv4 address. Therefore the size limit for IPv4 ranges applies to them.
 */
const MAPPED = ipaddr.IPv6.parse('::ffff:0:0')
const MAPPED_BITS = 96

const hasMapped = (range: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean =>
  range instanceof ipaddr.IPv6 && MAPPED.match(range, Math.min(bits, MAPPED_BITS))
