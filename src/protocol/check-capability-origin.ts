import { asRecord } from '../infra/util/object-members.ts'

/**
 * Maps a namespace of capabilities, such as `dev.ucp`, to the web origin that must serve its documents. Other vendors
 * may use any host of their domain.
 */
const ORIGINS = new Map([
  ['dev.usp-protocol', 'https://usp-protocol.dev'],
  ['dev.ucp', 'https://ucp.dev'],
])

/**
 * The documents of a capability must be at the web address of its namespace. Returns which document is elsewhere:
 * `spec` or `schema`. Returns undefined if both are in the right place.
 */
export function foreignMember(capability: string, entry: unknown): 'spec' | 'schema' | undefined {
  const { spec, schema } = asRecord(entry)
  if (!isAtHome(capability, spec)) return 'spec'
  return isAtHome(capability, schema) ? undefined : 'schema'
}

function isAtHome(capability: string, url: unknown): boolean {
  const [top = '', domain = ''] = capability.split('.')
  const place = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null
  // The schema of the profile checks that the value is an address and that the name has a domain. Therefore this check
  // accepts values without an address or a domain.
  if (!place || !domain) return true
  const origin = ORIGINS.get(`${top}.${domain}`)
  if (origin !== undefined) return place.origin === origin
  return place.protocol === 'https:' && isUnder(place.hostname, `${domain}.${top}`)
}

export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
