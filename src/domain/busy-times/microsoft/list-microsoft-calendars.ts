import { asRecord } from '../../../infra/util/object-members.ts'
import { oneLine, shortened } from '../../../infra/util/plain-text.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { MAX_CALENDARS, MAX_ID_CHARACTERS, type ProviderCalendar } from '../oauth/provider-account.ts'
import type { AccountCalendars } from '../oauth/provider-reader.ts'
import { LONGEST_NAME } from '../source-schema.ts'
import type { MicrosoftClient } from './microsoft-client.ts'

/** Lists all calendars of the account. `account` is the email address of the owner of the main calendar. */
export async function listMicrosoftCalendars({ list }: MicrosoftClient): Promise<AccountCalendars> {
  const calendars: ProviderCalendar[] = []
  let account = ''
  const path = '/me/calendars?$select=id,name,isDefaultCalendar,owner&$top=100'
  const end = await list(path, 'odata.maxpagesize=100', (items) => {
    for (const item of items.map(asRecord)) {
      const { id, name, isDefaultCalendar: isMain, owner } = item
      if (typeof id !== 'string' || id === '' || id.length > MAX_ID_CHARACTERS)
        throw new UnreadCalendarError('truncated')
      const { address } = asRecord(owner)
      if (isMain === true && typeof address === 'string') account = address
      const label = (typeof name === 'string' && oneLine(name)) || id
      calendars.push({ id, name: shortened(label, LONGEST_NAME), isMain: isMain === true })
    }
    if (calendars.length > MAX_CALENDARS) throw new UnreadCalendarError('too_large')
  })
  const [first] = calendars
  if (end === 'gone' || !first) throw new UnreadCalendarError('no_calendar')
  return { calendars, account: account || first.id }
}
