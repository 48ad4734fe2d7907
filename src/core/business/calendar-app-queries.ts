import { sql } from 'kysely'
import type { CalendarProvider } from '../../infra/config/calendar-providers.ts'
import type { Database, Tx } from '../../infra/db/database.ts'

/** The app of the business at a provider of calendars (OAuth 2.0). The database stores the secret only encrypted. */
export interface CalendarApp {
  provider: CalendarProvider
  client_id: string
  client_secret: Buffer
}

export type StoredCalendarApp = CalendarApp & { revision: string }

/** Lets only one transaction at a time change the apps. The lock lasts until the transaction ends. */
export async function calendarAppsLock(tx: Tx): Promise<void> {
  await sql`lock table calendar_apps in share row exclusive mode`.execute(tx)
}

export async function storedCalendarApps(db: Database): Promise<StoredCalendarApp[]> {
  const { rows } = await sql<StoredCalendarApp>`
    select provider, client_id, client_secret, revision from calendar_apps order by provider`.execute(db)
  return rows
}

export const storedCalendarApp = async (
  db: Database,
  provider: CalendarProvider,
): Promise<StoredCalendarApp | undefined> => (await storedCalendarApps(db)).find((app) => app.provider === provider)

/** Replaces the app at a provider. The transaction must hold the lock. Each new row gets a new revision. */
export async function calendarAppReplace(tx: Tx, { provider, client_id, client_secret }: CalendarApp): Promise<void> {
  await calendarAppDelete(tx, provider)
  await sql`
    insert into calendar_apps (provider, client_id, client_secret)
    values (${provider}, ${client_id}, ${client_secret})`.execute(tx)
}

export async function calendarAppDelete(tx: Tx, provider: CalendarProvider): Promise<void> {
  await sql`delete from calendar_apps where provider = ${provider}`.execute(tx)
}
