import { asRecord } from '../infra/util/object-members.ts'

/** Authorities whose documents have one origin. Those of other vendors may be on any host of the vendor's domain. */
const ORIGINS = new Map([
  ['dev.usp-protocol', 'https://usp-protocol.dev'],
  ['dev.ucp', 'https://ucp.dev'],
])

/** The member of a capability entry that is not at the authority of its namespace; undefined when both are. */
export function foreignMember(capability: string, entry: unknown): 'spec' | 'schema' | undefined {
  const { spec, schema } = asRecord(entry)
  if (!isAtHome(capability, spec)) return 'spec'
  return isAtHome(capability, schema) ? undefined : 'schema'
}

function isAtHome(capability: string, url: unknown): boolean {
  const [top = '', domain = ''] = capability.split('.')
  const place = typeof url === 'string' ? URL.parse(url) : null
  // The schema of the profile decides about a value that is no address, and about a name without a domain.
  if (!place || !domain) return true
  const origin = ORIGINS.get(`${top}.${domain}`)
  if (origin !== undefined) return place.origin === origin
  return place.protocol === 'https:' && isUnder(place.hostname, `${domain}.${top}`)
}

export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
