import { hash } from 'node:crypto'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { chooseLocalizer } from '../../infra/i18n/choose-localizer.ts'
import { chunks } from '../../infra/util/split-into-chunks.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { eventLines, PRODUCT } from './format-calendar-event.ts'
import { address, text, written } from './ical-text-format.ts'
import type { Agenda, FeedRow } from './queries.ts'
import { agendaItems, resourceName } from './staff-agenda-events.ts'

const REFRESH = 'PT15M'
/**
 * CSS color names for calendars (RFC 7986). The server chooses the color by a hash, so the same calendar always has the
 * same color.
 */
const COLORS = ['teal', 'indigo', 'seagreen', 'crimson', 'darkorange', 'steelblue', 'olive', 'purple']
/**
 * A feed may have thousands of calendar events. The server writes at most this many events before it gives other work a
 * turn on the event loop.
 */
const EVENTS_PER_TURN = 50

/**
 * Yields the text of a calendar feed in chunks. The feed contains the properties of RFC 7986, and also the older `X-`
 * properties, because many calendar programs read only the older ones.
 */
export async function* feedCalendar(
  feed: FeedRow,
  agenda: Agenda,
  { business, url }: { business: BusinessDefinition | undefined; url: string },
  now: Date,
): AsyncGenerator<string> {
  const { resource_id, created_at } = feed
  const businessName = business?.business.name ?? 'Business'
  const name = resource_id === null ? businessName : `${resourceName(resource_id, business)}, ${businessName}`
  yield written([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    PRODUCT,
    text('NAME', name),
    text('X-WR-CALNAME', name),
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...address('SOURCE', url),
    `COLOR:${colorOf(resource_id ?? businessName)}`,
  ])
  const localizer = chooseLocalizer({ usual: business?.business.language })
  const items = agendaItems(agenda, { business, localizer, known: created_at }, now)
  for (const batch of chunks(items, EVENTS_PER_TURN)) {
    await othersTurn()
    yield written(batch.flatMap(({ event }) => eventLines(event())))
  }
  yield written(['END:VCALENDAR'])
}

const colorOf = (key: string) => COLORS[(hash('sha256', key, 'buffer')[0] ?? 0) % COLORS.length]
