import ipaddr from 'ipaddr.js'

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal']

/**
 * The minimum prefix length of a range, which the largest private networks have. With a wider range, a large part of the
 * internet could forge its address.
 */
const MIN_PREFIX_BITS = { ipv4: 8, ipv6: 7 }

/** Whether every item is an address, a named range, or a range that is narrow enough. */
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
 * The IPv4-mapped addresses, `::ffff:0:0/96`. Proxies in such a range are matched by their IPv4 address, so the minimum
 * of IPv4 applies.
 */
const MAPPED = ipaddr.IPv6.parse('::ffff:0:0')
const MAPPED_BITS = 96

const hasMapped = (range: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean =>
  range instanceof ipaddr.IPv6 && MAPPED.match(range, Math.min(bits, MAPPED_BITS))
