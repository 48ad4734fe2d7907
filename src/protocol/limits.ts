import type { BusinessDefinition } from './types.generated.ts'

export type Limits = NonNullable<BusinessDefinition['limits']>

/** The kinds of calls. The server limits the calls of each kind in a minute. */
export type Family = Exclude<keyof Limits, 'strangers' | 'visitors' | 'callbacks' | 'live_holds'>
export type StrangerLimit = keyof NonNullable<Limits['strangers']>
/** Callers without a known identity: callers with a key that no profile publishes, and visitors with a browser. */
export type UnprovenCaller = 'strangers' | 'visitors'
export type VisitorLimit = keyof NonNullable<Limits['visitors']>
/** The limits that apply if the business configures no limits. */
export type DefaultLimits = Required<Omit<Limits, 'strangers' | 'visitors'>> & {
  strangers: Record<StrangerLimit, number>
  visitors: Record<VisitorLimit, number>
}
