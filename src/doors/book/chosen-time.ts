import type { AvailableTime } from '../../availability/available-times.ts'
import type { Plan } from '../../availability/plan.ts'
import { slotId } from '../../availability/slot-id.ts'
import type { Tag } from '../../protocol/tags.ts'

/** A time as a button or an address names it: by both of its ends, since what begins together may end apart. */
export interface ChosenTime {
  /** Milliseconds. */
  start: number
  end: number
}

export const TIME = 'time'

export const timeText = ({ start, end }: ChosenTime): string => `${start}-${end}`

export function readTime(given: URLSearchParams): ChosenTime | undefined {
  const [, start, end] = /^(\d+)-(\d+)$/.exec(given.get(TIME) ?? '') ?? []
  const time = { start: Number(start), end: Number(end) }
  return Number.isSafeInteger(time.start) && Number.isSafeInteger(time.end) ? time : undefined
}

export const slotIdOf = ({ start, end, location, picks }: AvailableTime, { service }: Plan, tag: Tag): string =>
  slotId(tag, { service: service.id, start, end, location, picks })
