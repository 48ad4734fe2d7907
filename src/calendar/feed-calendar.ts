import { hash } from 'node:crypto'
import type { BusinessDefinition } from '../protocol/types.generated.ts'
import { agendaEvents, resourceName } from './agenda-events.ts'
import { eventLines, PRODUCT } from './event.ts'
import { address, text, written } from './ical.ts'
import type { Agenda, FeedRow } from './queries.ts'

/** How often a program should look again. */
const REFRESH = 'PT15M'
/** Names of CSS, as RFC 7986 has colours: each calendar keeps one of them. */
const COLORS = ['teal', 'indigo', 'seagreen', 'crimson', 'darkorange', 'steelblue', 'olive', 'purple']

/** A calendar to subscribe to. The older names beside those of RFC 7986 are what many programs read. */
export function feedCalendar(
  feed: FeedRow,
  agenda: Agenda,
  business: BusinessDefinition | undefined,
  url: string,
  now: Date,
): string {
  const { resource_id, created_at } = feed
  const own = business?.business.name ?? 'Business'
  const name = resource_id === null ? own : `${resourceName(resource_id, business)}, ${own}`
  return written([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    PRODUCT,
    text('NAME', name),
    text('X-WR-CALNAME', name),
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...address('SOURCE', url),
    `COLOR:${colorOf(resource_id ?? own)}`,
    ...agendaEvents(agenda, business, created_at, now).flatMap(eventLines),
    'END:VCALENDAR',
  ])
}

const colorOf = (key: string) => COLORS[(hash('sha256', key, 'buffer')[0] ?? 0) % COLORS.length]
