import { dayText, timeRange } from '../../infra/i18n/format-times.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import type { Tag } from '../../protocol/keyed-digest.ts'
import { readSlotId } from '../availability/time-slot-response.ts'
import type { EntryRow } from './queries.ts'

type Wish = Pick<EntryRow, 'slot_id' | 'preferred'>

export function preferredTimesText(
  { slot_id, preferred }: Wish,
  localizer: Localizer,
  zone: string,
  tag: Tag,
): string[] {
  const slot = slot_id === null ? undefined : readSlotId(tag, slot_id)
  if (slot) return [timeRange(localizer, new Date(slot.start), new Date(slot.end), zone)]
  if (!preferred || preferred.length === 0) return [localizer.say('waiting.any_time')]
  return preferred.map((window) => windowText(window, localizer))
}

type Window = NonNullable<EntryRow['preferred']>[number]

function windowText({ start_date, end_date, time_of_day }: Window, localizer: Localizer): string {
  const { say } = localizer
  // A date has the same name in all time zones, so the server formats it in UTC. A conversion to local time would be
  // slow for years in the far future.
  const day = (date: string) => dayText(localizer, new Date(date), 'UTC')
  const part = time_of_day === undefined ? undefined : partText(time_of_day, localizer)
  const days =
    start_date === end_date && start_date !== undefined
      ? day(start_date)
      : start_date !== undefined && end_date !== undefined
        ? say('waiting.between', { from: day(start_date), to: day(end_date) })
        : start_date !== undefined
          ? say('waiting.from', { from: day(start_date) })
          : end_date !== undefined
            ? say('waiting.up_to', { to: day(end_date) })
            : say('waiting.any_time')
  return part === undefined ? days : say('waiting.part', { days, part })
}

function partText(word: string, { say }: Localizer): string | undefined {
  const part = word.toLowerCase()
  return part === 'morning' || part === 'afternoon' || part === 'evening' ? say(`book.${part}`) : undefined
}
