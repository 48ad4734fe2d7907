import { asRecord } from '../infra/util/object-members.ts'

/** Namespaces whose documents must have this origin. Other vendors may use any host of their own domain. */
const ORIGINS = new Map([
  ['dev.usp-protocol', 'https://usp-protocol.dev'],
  ['dev.ucp', 'https://ucp.dev'],
])

/** Returns the document of a capability entry that is not at the authority of its namespace, or undefined. */
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
