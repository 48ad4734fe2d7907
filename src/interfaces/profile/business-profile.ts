import { policyOf, publishedMechanisms } from '../../core/authentication/authentication-policy.ts'
import { PROOF_ALGORITHMS } from '../../core/tokens/token-audiences.ts'
import { FEED_PAGE, LIST_PAGE, LOOKUP_MOST } from '../../domain/catalog/page-limits.ts'
import { onlineProvider } from '../../domain/payments/find-payment-provider.ts'
import type { Config } from '../../infra/config/read-config.ts'
import { MCP_PATH, REST_BASE } from '../../protocol/base-url-paths.ts'
import {
  type Capability,
  capabilities,
  mcpSchema,
  restSchema,
  SERVICE,
  servedCapabilities,
  specification,
  VERSION,
} from '../../protocol/capabilities.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import type { BusinessDefinition, BusinessProfile, SigningKey } from '../../protocol/types.generated.ts'

/** The data of this server that the business profile describes to platforms, such as the operations. */
interface Published {
  keys: SigningKey[]
  operations: Operation[]
  tokenEndpoint: string | undefined
}

/**
 * Builds the business profile, in which the business describes itself to platforms. The profile contains only features
 * that this server offers.
 */
export function businessProfile(
  definition: BusinessDefinition,
  { keys, operations, tokenEndpoint }: Published,
  config: Config,
): BusinessProfile {
  const { baseUrl } = config
  const { business, locations = [], capabilities: ownCapabilities = {}, supported_versions: older = {} } = definition
  const served = servedCapabilities(operations, definition)
  const versions = Object.keys(older)
  const systems = checkoutSystems(definition, operations, config)
  return {
    usp: {
      version: VERSION,
      services: {
        [SERVICE]: [
          {
            version: VERSION,
            transport: 'rest',
            endpoint: baseUrl + REST_BASE,
            spec: specification,
            schema: restSchema,
          },
          { version: VERSION, transport: 'mcp', endpoint: baseUrl + MCP_PATH, spec: specification, schema: mcpSchema },
        ],
      },
      capabilities: {
        ...Object.fromEntries(
          served.map((name) => [name, [{ ...capabilities[name], ...capabilityDetails(name, definition, operations) }]]),
        ),
        ...Object.fromEntries(
          Object.entries(ownCapabilities).map(([name, entries]) => [name, entries.map((entry) => ({ ...entry }))]),
        ),
      },
      ...(systems.length > 0 && { checkout_systems: systems }),
      business: {
        name: business.name,
        timezone: business.timezone,
        currency: business.currency,
        ...(locations.length > 0 && {
          locations: locations.map(({ id, name, address, coordinates }) => ({
            id,
            name,
            ...(address !== undefined && { address }),
            ...(coordinates && { coordinates }),
          })),
        }),
      },
      ...(versions.length > 0 && {
        supported_versions: Object.fromEntries(
          versions.map((version) => [version, `${baseUrl}/.well-known/usp-${version}`]),
        ),
      }),
    },
    keys,
    signing_keys: keys,
    ...(operations.some(({ access }) => access.startsWith('privileged')) && {
      authorization: {
        ...authorizationOf(definition, operations, config),
        ...(tokenEndpoint !== undefined && { token_endpoint: tokenEndpoint }),
      },
    }),
  }
}

function authorizationOf(definition: BusinessDefinition, operations: Operation[], config: Config) {
  const policy = policyOf(definition, config)
  return {
    privileged_operations_require_authentication: policy.required,
    accepted_mechanisms: publishedMechanisms(policy, operations),
    ...(policy.accepted.includes('platform_key_pop') && { pop_signing_alg_values_supported: PROOF_ALGORITHMS }),
  }
}

/**
 * Returns the limits and options of one capability (a part of the protocol, such as the catalog), for example the page
 * size. Otherwise, platforms would have to find the limits by trial.
 */
function capabilityDetails(capability: Capability, { catalogue }: BusinessDefinition, operations: Operation[]) {
  if (capability === 'dev.usp-protocol.services.availability')
    return { holds: operations.some(({ id }) => id === 'holdSlot') }
  if (capability !== 'dev.usp-protocol.services.catalog') return {}
  return {
    search: catalogue?.search ?? true,
    max_lookup_ids: LOOKUP_MOST,
    page_size: { services: LIST_PAGE, feed: FEED_PAGE },
  }
}

type CheckoutSystem = NonNullable<BusinessProfile['usp']['checkout_systems']>[number]

/**
 * Returns the ways in which buyers can pay before the appointment. With `redirect`, the buyer pays on a page of an
 * online payment provider. With `embedded`, the platform takes the money and reports the payment.
 */
function checkoutSystems(definition: BusinessDefinition, operations: Operation[], config: Config): CheckoutSystem[] {
  const isPaidAhead = definition.services.some(
    ({ policies }) => policies.requires_payment && policies.payment_timing !== 'at_service',
  )
  if (!isPaidAhead || !operations.some(({ id }) => id === 'confirmPayment')) return []
  return [...(onlineProvider(definition, config) ? (['redirect'] as const) : []), 'embedded']
}
