import type { CalendarProvider } from '../../../infra/config/calendar-providers.ts'
import type { Config } from '../../../infra/config/read-config.ts'
import { googleReader } from '../google/google-reader.ts'
import { microsoftReader } from '../microsoft/microsoft-reader.ts'
import type { ProviderReader } from './provider-reader.ts'

/** Makes the reader of one account at each provider. */
export const providerReaders: Record<CalendarProvider, (accessToken: string, config: Config) => ProviderReader> = {
  google: googleReader,
  microsoft: microsoftReader,
}
