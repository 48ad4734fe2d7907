import { asRecord } from '../../../infra/util/object-members.ts'
import { oneLine, shortened } from '../../../infra/util/plain-text.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { MAX_CALENDARS, MAX_ID_CHARACTERS, type ProviderCalendar } from '../oauth/provider-account.ts'
import type { AccountCalendars } from '../oauth/provider-reader.ts'
import { LONGEST_NAME } from '../source-schema.ts'
import type { GoogleClient } from './google-client.ts'

/**
 * Lists all calendars of the account, also those that the person has hidden in the list of Google. The id of the main
 * calendar is the email address of the account.
 */
export async function listGoogleCalendars({ list }: GoogleClient): Promise<AccountCalendars> {
  const found: ProviderCalendar[] = []
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
  const main = found.find(({ isMain }) => isMain) ?? found[0]
  if (end === 'gone' || !main) throw new UnreadCalendarError('no_calendar')
  return { calendars: found, account: main.id }
}

function calendarOf(item: unknown): ProviderCalendar {
  const { id, summary, summaryOverride, primary } = asRecord(item)
  if (typeof id !== 'string' || id === '' || id.length > MAX_ID_CHARACTERS) throw new UnreadCalendarError('truncated')
  const names = [summaryOverride, summary].map((one) => (typeof one === 'string' ? oneLine(one) : ''))
  return { id, name: shortened(names.find(Boolean) ?? id, LONGEST_NAME), isMain: primary === true }
}
