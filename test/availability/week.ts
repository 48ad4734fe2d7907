import type { OpeningWindow, ResourceDefinition } from '../../src/protocol/types.generated.ts'

export const EVERY_DAY: OpeningWindow['days'] = [
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
]

/** The same hours on every day of the week. */
export const daily = (opens: string, closes: string): OpeningWindow[] => [{ days: EVERY_DAY, opens, closes }]

export interface Timed {
  id: string
  start: string
  end: string
  resources?: { id: string; type: string; name: string }[]
}

/** `2026-11-24T09:00`, the local time of each slot. */
export const localTimes = (slots: readonly Timed[]): string[] => slots.map(({ start }) => start.slice(0, 16))

/** `09:00`, for slots of one day. */
export const hours = (slots: readonly Timed[]): string[] => slots.map(({ start }) => start.slice(11, 16))

export const idsOf = (slots: readonly { id: string }[]): string[] => slots.map(({ id }) => id)

/** The one resource that a slot names. */
export const who = ({ resources = [] }: Timed): string | undefined => resources[0]?.id

/** One day of the week that the shop serves, as a query names it. */
export const on = (day: string) => ({ start_date: day, end_date: day })

export const annAndBen: ResourceDefinition[] = [
  { id: 'staff_ann', type: 'staff', name: 'Ann' },
  { id: 'staff_ben', type: 'staff', name: 'Ben' },
]
