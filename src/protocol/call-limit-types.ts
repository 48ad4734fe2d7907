import type { BusinessDefinition } from './types.generated.ts'

export type Limits = NonNullable<BusinessDefinition['limits']>

/** A kind of calls, such as bookings. For each kind, the server limits the number of calls in a minute. */
export type Family = Exclude<keyof Limits, 'strangers' | 'visitors' | 'callbacks' | 'live_holds'>
export type StrangerLimit = keyof NonNullable<Limits['strangers']>
/**
 * Kinds of callers without a known identity: callers whose key no profile publishes, and visitors of the booking pages.
 */
export type UnprovenCaller = 'strangers' | 'visitors'
export type VisitorLimit = keyof NonNullable<Limits['visitors']>
/** The limits that apply if the business definition sets none. */
export type DefaultLimits = Required<Omit<Limits, 'strangers' | 'visitors'>> & {
  strangers: Record<StrangerLimit, number>
  visitors: Record<VisitorLimit, number>
}
