import { type Capability, capabilities } from './capabilities.ts'
import type { Offered } from './negotiate.ts'
import type { Operation } from './operation.ts'
import type { BusinessDefinition } from './types.generated.ts'

/** Capabilities that a business serves only when its definition enables them. */
const optional: Partial<Record<Capability, (definition: BusinessDefinition | undefined) => boolean>> = {
  'dev.usp-protocol.discovery.registry': hasRegistry,
}

export function hasRegistry(definition: BusinessDefinition | undefined): boolean {
  return definition?.registry?.enabled ?? false
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
      .flatMap(({ capability, declares = capability }) => [capability, declares]),
  ),
]

/** The capabilities that this business offers to platforms: the served ones and its own. */
export const offeredCapabilities = (operations: Operation[], definition: BusinessDefinition | undefined): Offered => ({
  ...Object.fromEntries(servedCapabilities(operations, definition).map((name) => [name, [capabilities[name]]])),
  ...definition?.capabilities,
})
