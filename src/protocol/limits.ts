import type { BusinessDefinition } from './types.generated.ts'

export type Limits = NonNullable<BusinessDefinition['limits']>

/** Calls of these kinds are counted by the minute. */
export type Family = Exclude<keyof Limits, 'strangers' | 'visitors' | 'callbacks' | 'live_holds'>
export type StrangerLimit = keyof NonNullable<Limits['strangers']>
/** Whom nobody knows: who calls with a key of its own making, and who comes with a browser. */
export type Unproven = 'strangers' | 'visitors'
export type VisitorLimit = keyof NonNullable<Limits['visitors']>
/** What holds where the business names no number of its own. */
export type UsualLimits = Required<Omit<Limits, 'strangers' | 'visitors'>> & {
  strangers: Record<StrangerLimit, number>
  visitors: Record<VisitorLimit, number>
}
