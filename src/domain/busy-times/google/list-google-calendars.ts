import { asRecord } from '../../../infra/util/object-members.ts'
import { shortened } from '../../../infra/util/plain-text.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { LONGEST_NAME } from '../source-schema.ts'
import type { GoogleClient } from './google-client.ts'

export interface GoogleCalendar {
  id: string
  name: string
  /** Whether it is the main calendar of the account. Its id is the email address of the account. */
  isMain: boolean
}

const MAX_CALENDARS = 100
export const MAX_ID_CHARACTERS = 300

/** Lists all calendars of the account, also those that the person has hidden in the list of Google. */
export async function listGoogleCalendars({ list }: GoogleClient): Promise<GoogleCalendar[]> {
  const found: GoogleCalendar[] = []
  const query = {
    showHidden: 'true',
    maxResults: '250',
    fields: 'nextPageToken,items(id,summary,summaryOverride,primary)',
  }
  const end = await list('/users/me/calendarList', query, ({ items }) => {
    // Google leaves out the list if it is empty.
    if (items !== undefined && !Array.isArray(items)) throw new UnreadCalendarError('truncated')
    found.push(...(items ?? []).map(calendarOf))
    if (found.length > MAX_CALENDARS) throw new UnreadCalendarError('too_large')
  })
  if (end === 'gone' || found.length === 0) throw new UnreadCalendarError('no_calendar')
  return found
}

function calendarOf(item: unknown): GoogleCalendar {
  const { id, summary, summaryOverride, primary } = asRecord(item)
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_CHARACTERS) throw new UnreadCalendarError('truncated')
  const name = [summaryOverride, summary].find((one) => typeof one === 'string' && one.trim() !== '')
  return { id, name: shortened(String(name ?? id), LONGEST_NAME), isMain: primary === true }
}

/** The email address of the account. */
export const accountNameOf = (calendars: readonly GoogleCalendar[]): string =>
  calendars.find(({ isMain }) => isMain)?.id ?? calendars[0]?.id ?? ''
