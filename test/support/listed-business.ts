import { capabilities, restSchema, SERVICE, specification, VERSION } from '../../src/protocol/capabilities.ts'
import type { BusinessProfile } from '../../src/protocol/types.generated.ts'

const CATALOGUE = 'dev.usp-protocol.services.catalog'

/** The profile of a business with a catalog only. */
export const uspProfile = (endpoint = 'https://studio.example/usp/v1'): BusinessProfile & Record<string, unknown> => ({
  usp: {
    version: VERSION,
    services: {
      [SERVICE]: [{ version: VERSION, transport: 'rest', endpoint, spec: specification, schema: restSchema }],
    },
    capabilities: { [CATALOGUE]: [capabilities[CATALOGUE]] },
    business: { name: 'Sunrise Studio', timezone: 'America/New_York', currency: 'USD' },
  },
  authorization: {
    privileged_operations_require_authentication: true,
    accepted_mechanisms: ['http_message_signature', 'platform_key_pop'],
  },
})

export function ucpProfile(endpoint?: string) {
  const { services, capabilities, business } = uspProfile(endpoint).usp
  return { ucp: { version: '2026-01-11', services, capabilities, business } }
}
