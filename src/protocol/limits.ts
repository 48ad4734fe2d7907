import type { BusinessDefinition } from './types.generated.ts'

export type Limits = NonNullable<BusinessDefinition['limits']>

/** Kinds of calls that the server counts in each minute. */
export type Family = Exclude<keyof Limits, 'strangers' | 'visitors' | 'callbacks' | 'live_holds'>
export type StrangerLimit = keyof NonNullable<Limits['strangers']>
/** Callers without a known identity: those with a key that no profile publishes, and visitors with a browser. */
export type UnprovenCaller = 'strangers' | 'visitors'
export type VisitorLimit = keyof NonNullable<Limits['visitors']>
/** The limits that apply if the business configures no limits. */
export type DefaultLimits = Required<Omit<Limits, 'strangers' | 'visitors'>> & {
  strangers: Record<StrangerLimit, number>
  visitors: Record<VisitorLimit, number>
}
