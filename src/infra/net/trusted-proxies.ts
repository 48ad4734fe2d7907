import ipaddr from 'ipaddr.js'

/** Those that `TRUST_PROXY` may name by a word. */
const words = ['loopback', 'linklocal', 'uniquelocal']

/**
 * The fewest bits of a range. The largest private networks have as many; a wider range is most of the world, and there
 * everybody could say to be anybody.
 */
const FEWEST = { ipv4: 8, ipv6: 7 }

/** Whether all of a list are addresses, ranges or words that proxies can be known by. */
export const areProxies = (list: string[]): boolean => list.every((one) => words.includes(one) || isNarrow(one))

function isNarrow(range: string): boolean {
  const [address = '', bits, ...more] = range.split('/')
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false
  if (more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false
  if (bits === undefined) return true
  const parsed = ipaddr.parse(address)
  const most = parsed.kind() === 'ipv4' ? 32 : 128
  const fewest = hasMapped(parsed, Number(bits)) ? MAPPED_BITS + FEWEST.ipv4 : FEWEST[parsed.kind()]
  return Number(bits) >= fewest && Number(bits) <= most
}

/** Within IPv6 all of IPv4 is `::ffff:0:0/96`, and a proxy that is known by a range there is known by its IPv4 address. */
const MAPPED = ipaddr.IPv6.parse('::ffff:0:0')
const MAPPED_BITS = 96

const hasMapped = (range: ipaddr.IPv4 | ipaddr.IPv6, bits: number): boolean =>
  range instanceof ipaddr.IPv6 && MAPPED.match(range, Math.min(bits, MAPPED_BITS))
