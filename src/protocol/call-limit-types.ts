import type { BusinessDefinition } from './types.generated.ts'

export type Limits = NonNullable<BusinessDefinition['limits']>

/** A family of calls that share a limit of calls per minute, such as all bookings. */
export type Family = Exclude<keyof Limits, 'strangers' | 'visitors' | 'callbacks' | 'live_holds'>
export type StrangerLimit = keyof NonNullable<Limits['strangers']>
/**
 * Callers without a known identity: strangers (callers whose key no published profile contains), and visitors of the
 * booking pages.
 */
export type UnprovenCaller = 'strangers' | 'visitors'
export type VisitorLimit = keyof NonNullable<Limits['visitors']>
/** The limits that apply if the business configures no limits of its own. */
export type DefaultLimits = Required<Omit<Limits, 'strangers' | 'visitors'>> & {
  strangers: Record<StrangerLimit, number>
  visitors: Record<VisitorLimit, number>
}
