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
  const parsed = ipaddr.parse(address)
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()
  const most = parsed.kind() === 'ipv4' ? 32 : 128
  const fewest = isMapped ? 96 + FEWEST.ipv4 : FEWEST[parsed.kind()]
  return bits === undefined || (Number(bits) >= fewest && Number(bits) <= most)
}
