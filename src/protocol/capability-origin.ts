import { asRecord } from '../infra/util/object-members.ts'

/**
 * Namespaces with the origin of their documents. Documents of other vendors may be on any host of the vendor's domain.
 */
const ORIGINS = new Map([
  ['dev.usp-protocol', 'https://usp-protocol.dev'],
  ['dev.ucp', 'https://ucp.dev'],
])

/**
 * Returns `spec` or `schema` if the address of this document does not belong to the namespace of the capability.
 * Returns undefined if both addresses belong to the namespace.
 */
export function foreignMember(capability: string, entry: unknown): 'spec' | 'schema' | undefined {
  const { spec, schema } = asRecord(entry)
  if (!isAtHome(capability, spec)) return 'spec'
  return isAtHome(capability, schema) ? undefined : 'schema'
}

function isAtHome(capability: string, url: unknown): boolean {
  const [top = '', domain = ''] = capability.split('.')
  const place = typeof url === 'string' ? URL.parse(url) : null
  // This check accepts a value that is no address, and a name without a domain. The schema of the profile checks both.
  if (!place || !domain) return true
  const origin = ORIGINS.get(`${top}.${domain}`)
  if (origin !== undefined) return place.origin === origin
  return place.protocol === 'https:' && isUnder(place.hostname, `${domain}.${top}`)
}

export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
