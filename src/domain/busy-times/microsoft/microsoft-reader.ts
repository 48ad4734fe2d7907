import type { Config } from '../../../infra/config/read-config.ts'
import type { ProviderReader } from '../oauth/provider-reader.ts'
import { listMicrosoftCalendars } from './list-microsoft-calendars.ts'
import { microsoftClient } from './microsoft-client.ts'
import { readMicrosoftCalendar } from './read-microsoft-calendar.ts'
import { closeMicrosoftSubscription, watchMicrosoftCalendar } from './watch-calendar.ts'

export function microsoftReader(accessToken: string, config: Config): ProviderReader {
  const client = microsoftClient(accessToken, config)
  return {
    listCalendars: () => listMicrosoftCalendars(client),
    watch: (calendar, former, watching) => watchMicrosoftCalendar(client, calendar, former, watching),
    close: (channel) => closeMicrosoftSubscription(client, channel),
    readCalendar: (calendar, token, options) => readMicrosoftCalendar(client, calendar, token, options),
  }
}
