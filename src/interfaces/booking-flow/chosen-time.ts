import type { AvailableTime } from '../../domain/availability/available-times.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { slotId } from '../../domain/availability/time-slot-response.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'

/**
 * A time that a visitor chose. Buttons and URLs of the booking pages contain its start and end, because times with the
 * same start can have different ends. If the duration depends on the person or room, `end` is the latest possible end.
 */
export interface ChosenTime {
  /** The start of the chosen time, in milliseconds since 1970 (UTC). */
  start: number
  end: number
}

export const TIME = 'time'

export const timeText = ({ start, end }: ChosenTime): string => `${start}-${end}`

export const latestOf = (together: readonly ChosenTime[]): ChosenTime =>
  together.reduce((latest, one) => (one.end > latest.end ? one : latest), { start: 0, end: 0 })

export const isBehindButton = (
  { resourceDurations }: Pick<Plan, 'resourceDurations'>,
  time: ChosenTime,
  { start, end }: ChosenTime,
): boolean => time.start === start && (resourceDurations.size > 0 ? time.end <= end : time.end === end)

export function readTime(form: URLSearchParams): ChosenTime | undefined {
  const [, start, end] = /^(\d+)-(\d+)$/.exec(form.get(TIME) ?? '') ?? []
  const time = { start: Number(start), end: Number(end) }
  return Number.isSafeInteger(time.start) && Number.isSafeInteger(time.end) ? time : undefined
}

export const slotIdOf = ({ start, end, location, picks }: AvailableTime, { service }: Plan, tag: Tag): string =>
  slotId(tag, { service: service.id, start, end, location, picks })
