import type { CalendarProvider } from '../../../infra/config/calendar-providers.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { googleClient } from '../google/google-client.ts'
import { listGoogleCalendars } from '../google/list-google-calendars.ts'
import { listMicrosoftCalendars } from '../microsoft/list-microsoft-calendars.ts'
import { microsoftClient } from '../microsoft/microsoft-client.ts'
import type { ProviderCalendar } from './provider-account.ts'

/** Lists the calendars of an account. `account` is its email address, or the id of its main calendar. */
export const listProviderCalendars = (
  provider: CalendarProvider,
  accessToken: string,
  config: Config,
): Promise<{ calendars: ProviderCalendar[]; account: string }> =>
  provider === 'google'
    ? listGoogleCalendars(googleClient(accessToken, config))
    : listMicrosoftCalendars(microsoftClient(accessToken, config))
