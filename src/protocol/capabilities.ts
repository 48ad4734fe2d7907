export const VERSION = '2026-08-20'
export const SERVICE = 'dev.usp-protocol.services'

const AUTHORITY = 'https://usp-protocol.dev'

/** The published description of each capability. The operations decide which capabilities are served. */
export const capabilities = {
  'dev.usp-protocol.services.catalog': entry('3-service-catalog', 'services/catalog.json'),
  'dev.usp-protocol.services.catalog.subscriptions': {
    ...entry('3122-feed-subscriptions---post-servicesfeedsubscriptions', 'rest_common.json'),
    extends: 'dev.usp-protocol.services.catalog',
  },
  'dev.usp-protocol.services.availability': entry('4-availability', 'services/availability.json'),
  'dev.usp-protocol.services.bookings': entry('5-booking-lifecycle', 'services/booking.json'),
  'dev.usp-protocol.services.waitlist': {
    ...entry('111-waitlist-extension', 'services/waitlist.json'),
    extends: 'dev.usp-protocol.services.bookings',
  },
  'dev.usp-protocol.discovery.registry': entry('6-discovery-registry-optional', 'services/registry.json'),
} as const satisfies Record<string, { version: string; spec: string; schema: string; extends?: string }>

export type Capability = keyof typeof capabilities

export const specification = `${AUTHORITY}/specification`
export const restSchema = `${AUTHORITY}/schemas/openapi/usp-rest.json`
export const mcpSchema = `${AUTHORITY}/schemas/openrpc/usp-mcp.json`

function entry(section: string, schema: string) {
  return { version: VERSION, spec: `${AUTHORITY}/specification#${section}`, schema: `${AUTHORITY}/schemas/${schema}` }
}
