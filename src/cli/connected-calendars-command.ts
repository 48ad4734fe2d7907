import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { businessDefinition } from '../core/business/definition-queries.ts'
import {
  type AddressAccess,
  type Connection,
  checkAddress,
  connectSource,
} from '../domain/busy-times/connect-source.ts'
import { disconnectSource } from '../domain/busy-times/disconnect-source.ts'
import { type ListedSource, sourceRefresh, sourcesList } from '../domain/busy-times/source-queries.ts'
import { CALENDAR_PROVIDERS, type CalendarProvider } from '../infra/config/calendar-providers.ts'
import type { Database } from '../infra/db/database.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { oneLine } from '../infra/util/plain-text.ts'
import { BusinessRefusal, ProtocolError } from '../protocol/errors.ts'
import type { Runtime } from '../server/build-dependencies.ts'
import { accountByConsent } from './connect-provider-calendar.ts'
import { table } from './format-table.ts'
import { open } from './open-database.ts'

export const CONNECTED_USAGE = `       ${USP} calendars connect --resource ID --ics URL [--name NAME] | refresh ID | disconnect ID
       ${USP} calendars connect --resource ID --caldav URL --user NAME [--calendars NAME,NAME] [--name NAME]
                      [--write-to NAME [--write-names]]
       ${USP} calendars connect --resource ID --google | --microsoft [--calendars NAME,NAME] [--name NAME]`

const OPERATOR = 'operator'

interface Arguments {
  id: string
  resource?: string | undefined
  ics?: string | undefined
  caldav?: string | undefined
  user?: string | undefined
  calendars?: string | undefined
  name?: string | undefined
  'write-to'?: string | undefined
  'write-names'?: boolean | undefined
  google?: boolean | undefined
  microsoft?: boolean | undefined
}

type Command = () => Promise<void>

/**
 * The actions of `usp calendars` on calendars of other providers. Each action checks its arguments, and returns
 * undefined if they are wrong.
 */
export const connectedActions: Record<string, (given: Arguments) => Command | undefined> = {
  connect(given) {
    const { id, resource, ics, caldav, user, calendars, name, 'write-to': calendar, 'write-names': names } = given
    if (id !== '' || resource === undefined || (names && calendar === undefined)) return undefined
    const [provider, ...others] = CALENDAR_PROVIDERS.filter((one) => given[one])
    if (provider) {
      const isRight = others.length === 0 && [ics, caldav, user, calendar].every((value) => value === undefined)
      return isRight ? () => withRuntime((runtime) => connectedByConsent(runtime, provider, given)) : undefined
    }
    const forAccounts = [caldav, user, calendars, calendar]
    if (ics !== undefined && forAccounts.every((value) => value === undefined))
      return () => withRuntime((runtime) => connected(runtime, { resource, access: { address: ics }, name }))
    if (ics !== undefined || caldav === undefined || user === undefined) return undefined
    return async () => {
      const account = {
        user,
        password: await readPassword(),
        calendars: namesOf(calendars),
        ...(calendar !== undefined && { write_to: calendar, write_names: names }),
      }
      const access = { address: caldav, caldav: account }
      await withRuntime((runtime) => connected(runtime, { resource, access, name }))
    }
  },
  refresh: (given) => (isOnlyId(given) ? () => withRuntime((runtime) => refreshed(runtime, given.id)) : undefined),
  disconnect: (given) =>
    isOnlyId(given) ? () => withRuntime((runtime) => disconnected(runtime, given.id)) : undefined,
}

const isOnlyId = ({ id, ...others }: Arguments) =>
  id !== '' && Object.values(others).every((value) => value === undefined)

/** Reads the password from the standard input, because other users of the machine can see the arguments of a command. */
async function readPassword(): Promise<string> {
  if (process.stdin.isTTY) console.log('Enter the password of the account:')
  for await (const line of createInterface({ input: process.stdin })) if (line !== '') return line
  throw new PlainError('Write the password of the account to the standard input.')
}

async function withRuntime(action: (runtime: Runtime) => Promise<string>): Promise<void> {
  const { runtime, close } = await open()
  try {
    console.log(await action(runtime))
  } catch (error) {
    throw error instanceof ProtocolError || error instanceof BusinessRefusal ? new PlainError(error.message) : error
  } finally {
    await close()
  }
}

const namesOf = (list: string | undefined): string[] | undefined => list?.split(',').map((one) => one.trim())

async function connected(
  runtime: Runtime,
  { resource, access, name }: Omit<Connection, 'actor' | 'access'> & { access: AddressAccess },
): Promise<string> {
  const owner = await ownerOf(runtime, resource)
  await checkAddress(access.address, runtime.config)
  return connectedTo(runtime, owner, { access, name })
}

async function connectedByConsent(
  runtime: Runtime,
  provider: CalendarProvider,
  { resource = '', calendars, name }: Arguments,
): Promise<string> {
  const owner = await ownerOf(runtime, resource)
  const account = await accountByConsent(provider, namesOf(calendars), runtime)
  return connectedTo(runtime, owner, { access: { account }, name })
}

interface CalendarOwner {
  id: string
  name: string
}

async function ownerOf({ db }: Runtime, resource: string): Promise<CalendarOwner> {
  const { resources = [] } = (await businessDefinition(db)) ?? {}
  const owner = resources.find(({ id }) => id === resource)
  if (owner) return owner
  throw new PlainError(`There is no resource ${resource}. There are: ${resources.map(({ id }) => id).join(', ')}.`)
}

async function connectedTo(
  { db, config, clock, makeChange, calendarKey: key }: Runtime,
  owner: CalendarOwner,
  { access, name }: Pick<Connection, 'access' | 'name'>,
): Promise<string> {
  const source = { resource: owner.id, access, name, actor: OPERATOR }
  const row = await makeChange((tx) => connectSource(tx, source, { config, key }, clock()))
  const account = 'account' in access ? ` of ${oneLine(access.account.account)}` : ''
  return `${owner.name} has the calendar ${row.id}${account} at ${row.host}. ${await resultOfRead(db, row, clock)}`
}

async function refreshed({ db, clock, makeChange }: Runtime, id: string): Promise<string> {
  if (!(await makeChange((tx) => sourceRefresh(tx, id, clock())))) throw noCalendar(id)
  const [row] = await sourcesList(db, { id }, clock())
  if (!row) throw noCalendar(id)
  return resultOfRead(db, row, clock)
}

async function disconnected({ clock, makeChange }: Runtime, id: string): Promise<string> {
  const row = await makeChange((tx) => disconnectSource(tx, id, OPERATOR, clock()))
  if (!row) throw noCalendar(id)
  return `${id} is disconnected. Its events no longer block time.`
}

const noCalendar = (id: string) => new PlainError(`There is no connected calendar ${id}. See: ${USP} calendars list`)

const POLL_MS = 500
const MAX_POLLS = 20

/** Waits until a running server has read the calendar, and describes the result. */
async function resultOfRead(db: Database, { id, next_at }: ListedSource, clock: () => Date): Promise<string> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const [row] = await sourcesList(db, { id }, clock())
    if (row && row.next_at.getTime() !== next_at.getTime())
      return row.problem === null
        ? `It has ${row.busy_soon} busy times in the next 30 days.`
        : `It cannot be read: ${row.problem}. See docs/calendars.md.`
    await sleep(POLL_MS)
  }
  return 'A running server reads it within seconds.'
}

/** Lists the connected calendars as a table. Returns undefined if there are none. */
export async function connectedCalendars(db: Database, now: Date): Promise<string | undefined> {
  const sources = await sourcesList(db, {}, now)
  if (sources.length === 0) return undefined
  const time = (at: Date | null) => at?.toISOString() ?? 'never'
  return table(
    sources.map(({ id, resource_id, name, host, read_at, next_at, problem, busy_soon, writing }) => ({
      id,
      of: resource_id,
      name,
      host,
      busy_in_30_days: busy_soon,
      read: time(read_at),
      next: time(next_at),
      problem: problem ?? '',
      bookings_into: writing?.calendar ?? '',
      to_write: writing?.waiting ?? '',
      writing_problem: writing?.problem ?? '',
    })),
  )
}
