import { asRecord } from '../infra/util/object-members.ts'

/**
 * Maps a capability namespace, such as `dev.ucp`, to the web origin that must serve the documents of its capabilities.
 * Other vendors may use any host of their own domain.
 */
const ORIGINS = new Map([
  ['dev.usp-protocol', 'https://usp-protocol.dev'],
  ['dev.ucp', 'https://ucp.dev'],
])

/**
 * Finds a document of the capability that is not on the web host of the capability's namespace. Returns the property of
 * this document, `spec` or `schema`. Returns undefined if the hosts of both documents are right.
 */
export function foreignMember(capability: string, entry: unknown): 'spec' | 'schema' | undefined {
  const { spec, schema } = asRecord(entry)
  if (!isAtHome(capability, spec)) return 'spec'
  return isAtHome(capability, schema) ? undefined : 'schema'
}

function isAtHome(capability: string, url: unknown): boolean {
  const [top = '', domain = ''] = capability.split('.')
  const place = typeof url === 'string' && URL.canParse(url) ? new URL(url) : null
  // This check accepts an invalid URL and a capability name without a domain, because the JSON Schema of the profile
  // already reports these faults.
  if (!place || !domain) return true
  const origin = ORIGINS.get(`${top}.${domain}`)
  if (origin !== undefined) return place.origin === origin
  return place.protocol === 'https:' && isUnder(place.hostname, `${domain}.${top}`)
}

export const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
