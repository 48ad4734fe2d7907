import { tokenHandlers } from '../../domain/payments/payment-token-handlers.ts'
import type { Config } from '../../infra/config/read-config.ts'
import { UCP_MCP_PATH, UCP_REST_BASE } from '../../protocol/base-url-paths.ts'
import {
  capabilities,
  servedCapabilities,
  UCP_SERVICE,
  UCP_VERSION,
  ucpMcpSchema,
  ucpRestSchema,
  ucpSpecification,
} from '../../protocol/capabilities.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import type {
  BusinessDefinition,
  BusinessProfile,
  ServiceBinding,
  UcpBusinessProfile,
} from '../../protocol/types.generated.ts'

interface UcpOffer {
  definition: BusinessDefinition
  ucpOperations: Operation[]
  config: Pick<Config, 'baseUrl' | 'stripe'>
}

/**
 * Returns the business profile in the format of UCP (Universal Commerce Protocol). UCP allows no `authorization` at the
 * top level, so each USP binding contains it. The same authorization applies to the UCP checkout. UCP requires the
 * property `payment_handlers`, even if it is empty.
 */
export function ucpProfile(
  { usp, keys = [], authorization }: BusinessProfile,
  { definition, ucpOperations, config }: UcpOffer,
): UcpBusinessProfile {
  const { services, business } = usp
  const ofCheckout = servedCapabilities(ucpOperations, definition)
  return {
    ucp: {
      version: UCP_VERSION,
      services: {
        ...Object.fromEntries(
          Object.entries(services).map(([name, bindings]) => [
            name,
            bindings.map((binding) => ({ ...binding, ...(authorization && { config: { authorization } }) })),
          ]),
        ),
        ...(ofCheckout.length > 0 && { [UCP_SERVICE]: bindingsAt(config.baseUrl) }),
      },
      capabilities: {
        ...usp.capabilities,
        ...Object.fromEntries(ofCheckout.map((name) => [name, [{ ...capabilities[name] }]])),
      },
      payment_handlers: ofCheckout.length > 0 ? tokenHandlers(definition, config) : {},
      business,
    },
    keys,
  }
}

const bindingsAt = (baseUrl: string): ServiceBinding[] =>
  [
    { transport: 'rest' as const, endpoint: baseUrl + UCP_REST_BASE, schema: ucpRestSchema },
    { transport: 'mcp' as const, endpoint: baseUrl + UCP_MCP_PATH, schema: ucpMcpSchema },
  ].map((binding) => ({ version: UCP_VERSION, spec: ucpSpecification, ...binding }))
