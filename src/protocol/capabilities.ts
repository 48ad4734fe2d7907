import type { Operation } from './define-operation.ts'
import type { BusinessDefinition } from './types.generated.ts'

export const VERSION = '2026-08-20'
export const SERVICE = 'dev.usp-protocol.services'
/**
 * The UCP version that the profile of a business states if the business takes part in the Universal Commerce Protocol.
 */
export const UCP_VERSION = '2026-08-25'

const AUTHORITY = 'https://usp-protocol.dev'
const UCP_AUTHORITY = 'https://ucp.dev'
const CHECKOUT = 'dev.ucp.shopping.checkout'
const ORDER = 'dev.ucp.shopping.order'
const parentsOfTerms: string[] = [CHECKOUT, ORDER]

/**
 * The capabilities (named parts of the protocol), with the version and the documents of each. The server offers a
 * capability only if one of its operations belongs to the capability.
 */
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
  [CHECKOUT]: ucpEntry('shopping/checkout', 'shopping/checkout.json'),
  [ORDER]: ucpEntry('shopping/order', 'shopping/order.json'),
  'dev.ucp.common.payment.terms': {
    ...ucpEntry('payment/extensions/terms', 'common/payment_terms.json'),
    extends: parentsOfTerms,
  },
  'dev.usp-protocol.services.paid_bookings': {
    ...entry('7-ucp-native-mode', 'services/paid_bookings.json'),
    extends: CHECKOUT,
  },
  'dev.usp-protocol.services.pay_at_service': {
    ...entry('pay-at-service-settlement-extension', 'services/pay_at_service.json'),
    extends: CHECKOUT,
  },
} as const satisfies Record<string, { version: string; spec: string; schema: string; extends?: string | string[] }>

export type Capability = keyof typeof capabilities

export const specification = `${AUTHORITY}/specification`
export const restSchema = `${AUTHORITY}/schemas/openapi/usp-rest.json`
export const mcpSchema = `${AUTHORITY}/schemas/openrpc/usp-mcp.json`

function entry(section: string, schema: string) {
  return { version: VERSION, spec: `${AUTHORITY}/specification#${section}`, schema: `${AUTHORITY}/schemas/${schema}` }
}

/**
 * Name and documents of the shopping service of UCP (Universal Commerce Protocol). The business profile lists this
 * service if the business takes part in UCP.
 */
export const UCP_SERVICE = 'dev.ucp.shopping'
export const ucpSpecification = `${UCP_AUTHORITY}/${UCP_VERSION}/specification/overview/`
export const ucpRestSchema = `${UCP_AUTHORITY}/${UCP_VERSION}/services/shopping/rest.openapi.json`
export const ucpMcpSchema = `${UCP_AUTHORITY}/${UCP_VERSION}/services/shopping/mcp.openrpc.json`

function ucpEntry(page: string, schema: string) {
  return {
    version: UCP_VERSION,
    spec: `${UCP_AUTHORITY}/${UCP_VERSION}/specification/${page}/`,
    schema: `${UCP_AUTHORITY}/${UCP_VERSION}/schemas/${schema}`,
  }
}

interface CapabilityVersion {
  version: string
  extends?: string | string[]
  requires?: { protocol?: Range; capabilities?: Record<string, Range> }
}

interface Range {
  min?: string
  max?: string
}

export type Offered = Record<string, CapabilityVersion[]>
export type Agreed = ReadonlyMap<string, string>

/**
 * Finds the capabilities that the business and the platform both support, each in the highest version in common. Leaves
 * out an extension if the capability that it extends is missing.
 */
export function negotiate(ours: Offered, theirs: Offered): Agreed {
  const shared = Object.keys(ours).flatMap((name) => {
    const common = highestCommon(ours[name] ?? [], Object.hasOwn(theirs, name) ? (theirs[name] ?? []) : [])
    return common ? [[name, common] as const] : []
  })
  return withoutOrphans(new Map(shared))
}

function highestCommon(ours: CapabilityVersion[], theirs: CapabilityVersion[]): CapabilityVersion | undefined {
  const known = new Set(theirs.map(({ version }) => version))
  return ours
    .filter(({ version }) => known.has(version))
    .sort((one, other) => (one.version < other.version ? 1 : -1))[0]
}

/**
 * Removes extensions whose base capability is missing, and capabilities with unmet requirements. A removal can make
 * another capability invalid, so the function repeats until all capabilities are valid.
 */
function withoutOrphans(entries: Map<string, CapabilityVersion>): Agreed {
  const agreed = new Map([...entries].map(([name, { version }]) => [name, version]))
  const orphan = [...entries].find(([, entry]) => !isCarried(entry, agreed) || !isSatisfied(entry, agreed))
  if (!orphan) return agreed
  entries.delete(orphan[0])
  return withoutOrphans(entries)
}

const isCarried = ({ extends: parents }: CapabilityVersion, agreed: Agreed) =>
  parents === undefined || [parents].flat().some((parent) => agreed.has(parent))

function isSatisfied({ requires = {} }: CapabilityVersion, agreed: Agreed): boolean {
  if (!isWithin(VERSION, requires.protocol)) return false
  return Object.entries(requires.capabilities ?? {}).every(([name, range]) => isWithin(agreed.get(name), range))
}

const isWithin = (version: string | undefined, { min = '', max = '9999-12-31' }: Range = {}) =>
  version !== undefined && version >= min && version <= max

/**
 * Returns the capabilities that an answer lists: the capability of the called operation, and its extensions. Returns
 * none if the platform does not support this capability. Without this rule, the answer could list an extension that the
 * platform supports only for another capability.
 */
export function capabilitiesConcerning(capability: string, agreed: Agreed, ours: Offered): Agreed {
  if (!agreed.has(capability)) return new Map()
  const parentsOf = (name: string) => (ours[name] ?? []).flatMap((entry) => entry.extends ?? [])
  return new Map([...agreed].filter(([name]) => name === capability || parentsOf(name).includes(capability)))
}

/** Converts agreed capabilities to the JSON form in answers and events: each name with a list of one version. */
export const entriesOf = (agreed: Agreed): Record<string, { version: string }[]> =>
  Object.fromEntries([...agreed].map(([name, version]) => [name, [{ version }]]))

/** Capabilities that the server offers only if the business definition enables them. */
const optional: Partial<Record<Capability, (definition: BusinessDefinition | undefined) => boolean>> = {
  'dev.usp-protocol.discovery.registry': hasRegistry,
  [CHECKOUT]: hasUcpCheckout,
  [ORDER]: hasUcpCheckout,
}

export function hasRegistry(definition: BusinessDefinition | undefined): boolean {
  return definition?.registry?.enabled ?? false
}

export function hasUcpCheckout(definition: BusinessDefinition | undefined): boolean {
  return definition?.deployment_mode === 'ucp_native' && (definition.ucp_checkout?.enabled ?? false)
}

export const isOptional = ({ capability }: Operation): boolean => capability in optional

export const isServed = ({ capability }: Operation, definition: BusinessDefinition | undefined): boolean =>
  optional[capability]?.(definition) ?? true

export const servedCapabilities = (
  operations: Operation[],
  definition: BusinessDefinition | undefined,
): Capability[] => [
  ...new Set(
    operations
      .filter((operation) => isServed(operation, definition))
      .flatMap(({ capability, declares }): Capability[] => [capability, ...listOf(declares)]),
  ),
]

const listOf = (declares: Capability | readonly Capability[] = []): readonly Capability[] =>
  typeof declares === 'string' ? [declares] : declares

/**
 * The capabilities that this business offers to platforms. They come from the operations of the server and from the
 * business definition.
 */
export const offeredCapabilities = (operations: Operation[], definition: BusinessDefinition | undefined): Offered => ({
  ...Object.fromEntries(servedCapabilities(operations, definition).map((name) => [name, [capabilities[name]]])),
  ...definition?.capabilities,
})
