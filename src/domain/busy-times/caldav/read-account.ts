import { UnreadCalendarError } from '../calendar-problems.ts'
import type { CaldavAccount } from './caldav-account.ts'
import { type CaldavClient, listOf, resolved } from './caldav-client.ts'
import {
  type CalendarHome,
  type DavCalendar,
  findHome,
  listCalendars,
  NAMESPACES,
  usableToken,
} from './find-calendars.ts'
import { keyOf } from './object-keys.ts'

/** The state of an account after a read. With this state, the next read asks only for changes. */
export interface AccountState {
  home: CalendarHome
  /** The state of each calendar, by its address. */
  calendars: Record<string, { ctag?: string | undefined; token?: string | undefined }>
}

/** The answers of the CalDAV server about the events of one calendar. */
export interface CalendarReport {
  /** The address of the calendar. */
  calendar: string
  /** `whole`: all events of the calendar. `changes`: the events at the addresses `asked`. `same`: nothing has changed. */
  scope: 'whole' | 'changes' | 'same'
  bodies: Buffer[]
  asked: string[]
  /** The addresses of deleted events. */
  gone: string[]
}

/** With more changes than this number, the server reads the whole calendar instead. */
const MAX_CHANGES = 500
const MAX_PAGES = 20
const EVENTS_PER_CALL = 50

const WHOLE_CALENDAR = `<?xml version="1.0" encoding="utf-8"?><c:calendar-query ${NAMESPACES}><d:prop><d:getetag/><c:calendar-data/></d:prop>\
<c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"/></c:comp-filter></c:filter></c:calendar-query>`

const changesBody = (token: string) =>
  `<?xml version="1.0" encoding="utf-8"?><d:sync-collection ${NAMESPACES}><d:sync-token>${escaped(token)}</d:sync-token>\
<d:sync-level>1</d:sync-level><d:prop><d:getetag/></d:prop></d:sync-collection>`

/** The body of a call that asks for these properties of the events at these paths. */
export const multigetBody = (properties: string, paths: readonly string[]) =>
  `<?xml version="1.0" encoding="utf-8"?><c:calendar-multiget ${NAMESPACES}><d:prop>${properties}</d:prop>\
${paths.map((path) => `<d:href>${escaped(path)}</d:href>`).join('')}</c:calendar-multiget>`

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/**
 * Asks a CalDAV server for the events of an account. It asks only for the changes since `state`. Without a state, or after
 * the CalDAV server has lost it, it asks for all events.
 */
export async function readAccount(
  client: CaldavClient,
  account: CaldavAccount,
  state: AccountState | undefined,
): Promise<{ state: AccountState; reports: CalendarReport[] }> {
  const { home, calendars } = await calendarsOf(client, account, state?.home)
  const next: AccountState = { home, calendars: {} }
  const reports: CalendarReport[] = []
  for (const calendar of calendars) {
    const { url, ctag } = calendar
    const known = state?.calendars[url]
    const report = known && (await changesOf(client, calendar, known))
    // The CalDAV server has sent this token before the events. So the next read also gets the changes in between.
    const { token = calendar.token, ...events } = report ?? (await wholeOf(client, calendar))
    next.calendars[url] = { ctag, token }
    reports.push({ calendar: url, ...events })
  }
  return { state: next, reports }
}

/** Lists the calendars at their known address. If they are no longer there, the function finds the new address. */
export async function calendarsOf(client: CaldavClient, account: CaldavAccount, known: CalendarHome | undefined) {
  if (known)
    try {
      return { home: known, calendars: await listCalendars(client, known, account) }
    } catch (error) {
      const isGone = error instanceof UnreadCalendarError && ['refused', 'no_calendar'].includes(error.problem)
      if (!isGone) throw error
    }
  const home = await findHome(client, account)
  return { home, calendars: await listCalendars(client, home, account) }
}

type Events = Omit<CalendarReport, 'calendar'> & { token?: string | undefined }

async function wholeOf(client: CaldavClient, { url }: DavCalendar): Promise<Events> {
  const answer = await client.call({ method: 'REPORT', url, depth: '1', body: WHOLE_CALENDAR, hasEvents: true })
  if (answer.status !== 207) throw new UnreadCalendarError('refused')
  return { scope: 'whole', bodies: [answer.body], asked: [], gone: [] }
}

const isSame = (known: string | undefined, now: string | undefined) => known !== undefined && known === now

/** Returns undefined if the CalDAV server does not list the changes. The caller then reads the whole calendar. */
async function changesOf(
  client: CaldavClient,
  { url, ctag, token }: DavCalendar,
  known: AccountState['calendars'][string],
): Promise<Events | undefined> {
  if (isSame(known.ctag, ctag) || isSame(known.token, token))
    return { scope: 'same', bodies: [], asked: [], gone: [], token: known.token }
  const changes = known.token !== undefined && (await listChanges(client, url, known.token).catch(undefinedIfTooLong))
  if (!changes) return undefined
  const asked = [...changes.changed.values()]
  const bodies: Buffer[] = []
  for (let nth = 0; nth < asked.length; nth += EVENTS_PER_CALL) {
    const paths = asked.slice(nth, nth + EVENTS_PER_CALL).map((one) => new URL(one).pathname)
    const body = multigetBody('<d:getetag/><c:calendar-data/>', paths)
    const answer = await client.call({ method: 'REPORT', url, depth: '1', body, hasEvents: true })
    if (answer.status !== 207) return undefined
    bodies.push(answer.body)
  }
  return { scope: 'changes', bodies, asked, gone: [...changes.gone.values()], token: changes.token }
}

/** After very many changes, their list is too long to read. The calendar as a whole may still be small enough. */
function undefinedIfTooLong(error: unknown): undefined {
  if (!(error instanceof UnreadCalendarError) || !['too_large', 'truncated'].includes(error.problem)) throw error
}

/** Lists the addresses of changed and deleted events (RFC 6578). The answer can come in several parts. */
async function listChanges(client: CaldavClient, url: string, known: string) {
  const [changed, gone] = [new Map<string, string>(), new Map<string, string>()]
  let since = known
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await client.call({ method: 'REPORT', url, depth: '0', body: changesBody(since) })
    // For example, the CalDAV server no longer knows the token.
    if (answer.status !== 207) return undefined
    const { responses, token: sent } = listOf(answer.body)
    const token = usableToken(sent)
    if (token === undefined) return undefined
    let hasMore = false
    for (const { href, status } of responses) {
      const address = resolved(href, answer.url)
      const key = keyOf(address)
      if (key === keyOf(url)) hasMore ||= status === 507
      else {
        changed.delete(key)
        gone.delete(key)
        if (status === 404) gone.set(key, address)
        else changed.set(key, address)
      }
    }
    if (changed.size > MAX_CHANGES) return undefined
    if (!hasMore) return { changed, gone, token }
    since = token
  }
  return undefined
}
