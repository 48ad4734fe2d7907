import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import type { ConnectCalendar } from '../../../protocol/types.generated.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { accessToken, providerApp } from './provider-access.ts'
import { chosenCalendars, type ProviderAccount } from './provider-account.ts'
import { providerReaders } from './provider-readers.ts'

type Input = NonNullable<ConnectCalendar['input']['account']>

/** Checks that the server can read the chosen calendars with a refresh token. */
export async function verifyProviderAccess(
  { provider, refresh_token, calendars: chosen }: Input,
  { db, config, calendarKey }: Dependencies<'db' | 'config' | 'calendarKey'>,
): Promise<ProviderAccount> {
  try {
    const { access, refresh } = await accessToken(refresh_token, await providerApp(db, provider, calendarKey), config)
    const { calendars, account } = await providerReaders[provider](access, config).listCalendars()
    if (!chosenCalendars(calendars, chosen))
      throw invalidInput('The account has no calendar with one of these ids.', '$.account.calendars')
    return { provider, refreshToken: refresh, account, ...(chosen && { calendars: chosen }) }
  } catch (error) {
    throw error instanceof UnreadCalendarError ? refusalOf(error) : error
  }
}

function refusalOf({ problem }: UnreadCalendarError): Error {
  if (problem === 'access_revoked') return invalidInput('The provider refuses this token.', '$.account.refresh_token')
  if (problem === 'app_refused') return invalidInput('The provider refuses the app of the business.', '$.account')
  if (problem === 'no_calendar') return invalidInput('The account has no calendar.', '$.account')
  return new ProtocolError('service_unavailable', 'The calendars could not be read. Try again later.', {
    retryAfter: 60,
  })
}
