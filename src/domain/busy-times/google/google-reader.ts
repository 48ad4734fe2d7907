import type { Config } from '../../../infra/config/read-config.ts'
import type { ProviderReader } from '../oauth/provider-reader.ts'
import { googleClient } from './google-client.ts'
import { listGoogleCalendars } from './list-google-calendars.ts'
import { readGoogleCalendar } from './read-google-calendar.ts'
import { closeGoogleChannel, watchGoogleCalendar } from './watch-calendar.ts'

export function googleReader(accessToken: string, config: Config): ProviderReader {
  const client = googleClient(accessToken, config)
  return {
    listCalendars: () => listGoogleCalendars(client),
    watch: (calendar, former, watching) => watchGoogleCalendar(client, calendar, former, watching),
    close: (channel) => closeGoogleChannel(client, channel),
    readCalendar: (calendar, token, options) => readGoogleCalendar(client, calendar, token, options),
  }
}
