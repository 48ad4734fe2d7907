import { readSlotId } from '../../availability/slot-id.ts'
import { type Content, html } from '../../basics/html.ts'
import type { Speech } from '../../languages/speech.ts'
import { dayText, momentText, timeRange } from '../../languages/times.ts'
import type { Tag } from '../../protocol/tags.ts'
import { startOfDay } from '../../time/zone.ts'
import type { EntryRow } from '../../waitlist/queries.ts'
import { namesOf } from '../book/words.ts'
import type { EntryContext } from './entry-context.ts'

/** What somebody waits for, for which times, and until when. */
export function aboutEntry({ entry, definition, plan, speech }: EntryContext, tag: Tag): Content {
  const { say } = speech
  const zone = definition.business.timezone
  const rows: [string, Content][] = [
    [say('booking.what'), plan ? namesOf(speech, plan.service).name : undefined],
    [say('booking.when'), wished(entry, speech, zone, tag)],
    [say('waiting.until'), entry.status === 'waiting' && entry.over_at && momentText(speech, entry.over_at, zone)],
  ]
  return html`<dl>
${rows.map(([name, value]) => value && html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}
</dl>`
}

/** The very time, or all that would do. */
function wished(entry: EntryRow, speech: Speech, zone: string, tag: Tag): Content {
  const slot = entry.slot_id === null ? undefined : readSlotId(tag, entry.slot_id)
  if (slot) return timeRange(speech, new Date(slot.start), new Date(slot.end), zone)
  const { preferred } = entry
  if (!preferred || preferred.length === 0) return speech.say('waiting.any_time')
  return preferred.map((window) => html`${windowText(window, speech, zone)}<br>`)
}

type Window = NonNullable<EntryRow['preferred']>[number]

function windowText({ start_date, end_date, time_of_day }: Window, speech: Speech, zone: string): string {
  const { say } = speech
  const day = (date: string) => dayText(speech, new Date(startOfDay(zone, date)), zone)
  const part = time_of_day === undefined ? undefined : partText(time_of_day, speech)
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

/** Any other word restricts nothing. */
function partText(word: string, { say }: Speech): string | undefined {
  const part = word.toLowerCase()
  return part === 'morning' || part === 'afternoon' || part === 'evening' ? say(`book.${part}`) : undefined
}
