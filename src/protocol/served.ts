import { type Capability, capabilities } from './capabilities.ts'
import type { Offered } from './negotiate.ts'
import type { Operation } from './operation.ts'
import type { BusinessDefinition } from './types.generated.ts'

/** The capabilities that the operations add up to. */
export const servedBy = (operations: Operation[]): Capability[] => [
  ...new Set(operations.flatMap(({ capability, declares = capability }) => [capability, declares])),
]

/** What this business has to agree on with a platform: what is served, and capabilities of its own. */
export const offeredBy = (operations: Operation[], definition: BusinessDefinition | undefined): Offered => ({
  ...Object.fromEntries(servedBy(operations).map((name) => [name, [capabilities[name]]])),
  ...definition?.capabilities,
})
