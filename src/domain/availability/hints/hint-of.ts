import type { AvailabilityHint } from '../../../protocol/types.generated.ts'
import { longDateText } from './date-texts.ts'
import { exceptions } from './exceptions.ts'
import { isFull } from './free-counts.ts'
import type { Day } from './parts-of-days.ts'
import { weeklyPattern } from './weekly-pattern.ts'

export type Hint = Omit<AvailabilityHint, 'generated_at'>

/**
 * A summary in sentences, like an answer on the telephone. `days` are the coming weeks. If all of them are full, `later` is
 * the first free day after them.
 */
export function hintOf(days: readonly Day[], later: string | undefined): Hint {
  const first = days.findIndex((day) => !isFull(day))
  const date = days[first]?.date ?? later
  const full = days.slice(0, first < 0 ? undefined : first)
  const until = full.at(-1)
  const next = date && `The next free time is on ${longDateText(date)}.`
  const sentences = [
    ...(until
      ? [date ? `Fully booked until ${longDateText(until.date)}.` : 'Fully booked as far ahead as can be booked.']
      : []),
    ...(next ? [next] : []),
    ...(first < 0 ? [] : [weeklyPattern(days), ...exceptions(days.slice(first))]),
  ]
  return {
    summary: sentences.length > 0 ? sentences.join(' ') : 'No times are planned at present.',
    ...(date && { next_available_date: date }),
  }
}
