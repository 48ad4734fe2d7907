import type { Dependencies } from '../../../protocol/dependency-types.ts'
import { invalidInput, ProtocolError } from '../../../protocol/errors.ts'
import type { ConnectCalendar } from '../../../protocol/types.generated.ts'
import { UnreadCalendarError } from '../calendar-problems.ts'
import { accessToken, googleApp } from './google-access.ts'
import type { GoogleAccount } from './google-account.ts'
import { googleClient } from './google-client.ts'
import { accountNameOf, listGoogleCalendars } from './list-google-calendars.ts'

type Input = NonNullable<ConnectCalendar['input']['google']>

/** Checks that the server can read the chosen calendars with a refresh token. */
export async function verifyGoogleAccess(
  { refresh_token: refreshToken, calendars: chosen }: Input,
  { db, config, calendarKey }: Dependencies<'db' | 'config' | 'calendarKey'>,
): Promise<GoogleAccount> {
  try {
    const token = await accessToken(refreshToken, await googleApp(db, calendarKey), config)
    const all = await listGoogleCalendars(googleClient(token, config))
    if (chosen && !chosen.every((id) => all.some((one) => one.id === id)))
      throw invalidInput('The account has no calendar with one of these ids.', '$.google.calendars')
    return { refreshToken, account: accountNameOf(all), ...(chosen && { calendars: chosen }) }
  } catch (error) {
    throw error instanceof UnreadCalendarError ? refusalOf(error) : error
  }
}

function refusalOf({ problem }: UnreadCalendarError): Error {
  if (problem === 'access_revoked') return invalidInput('Google refuses this token.', '$.google.refresh_token')
  if (problem === 'app_refused') return invalidInput('Google refuses the app of the business.', '$.google')
  if (problem === 'no_calendar') return invalidInput('The account has no calendar.', '$.google')
  return new ProtocolError('service_unavailable', 'The calendars at Google could not be read. Try again later.', {
    retryAfter: 60,
  })
}
