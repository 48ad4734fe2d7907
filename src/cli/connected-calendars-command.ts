import { setTimeout as sleep } from 'node:timers/promises'
import { businessDefinition } from '../core/business/definition-queries.ts'
import { checkAddress, connectSource } from '../domain/busy-times/connect-source.ts'
import { disconnectSource } from '../domain/busy-times/disconnect-source.ts'
import { type ListedSource, sourceRefresh, sourcesList } from '../domain/busy-times/source-queries.ts'
import type { Database } from '../infra/db/database.ts'
import { PlainError, USP } from '../infra/util/command-line-error.ts'
import { BusinessRefusal, ProtocolError } from '../protocol/errors.ts'
import type { Runtime } from '../server/build-dependencies.ts'
import { table } from './format-table.ts'
import { open } from './open-database.ts'

export const CONNECTED_USAGE = `       ${USP} calendars connect --resource ID --ics URL [--name NAME] | refresh ID | disconnect ID`

const OPERATOR = 'operator'

interface Arguments {
  id: string
  resource?: string | undefined
  ics?: string | undefined
  name?: string | undefined
}

type Command = () => Promise<void>

/**
 * The actions of `usp calendars` on calendars of other providers. Each action checks its arguments, and returns
 * undefined if they are wrong.
 */
export const connectedActions: Record<string, (given: Arguments) => Command | undefined> = {
  connect: ({ id, resource, ics, name }) =>
    id === '' && resource !== undefined && ics !== undefined
      ? () => withRuntime((runtime) => connected(runtime, { resource, address: ics, name }))
      : undefined,
  refresh: (given) => (isOnlyId(given) ? () => withRuntime((runtime) => refreshed(runtime, given.id)) : undefined),
  disconnect: (given) =>
    isOnlyId(given) ? () => withRuntime((runtime) => disconnected(runtime, given.id)) : undefined,
}

const isOnlyId = ({ id, resource, ics, name }: Arguments) =>
  id !== '' && resource === undefined && ics === undefined && name === undefined

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

async function connected(
  { db, config, clock, makeChange, calendarKey: key }: Runtime,
  { resource, address, name }: { resource: string; address: string; name: string | undefined },
): Promise<string> {
  const { resources = [] } = (await businessDefinition(db)) ?? {}
  const owner = resources.find(({ id }) => id === resource)
  if (!owner)
    throw new PlainError(`There is no resource ${resource}. There are: ${resources.map(({ id }) => id).join(', ')}.`)
  await checkAddress(address, config)
  const source = { resource, address, name, actor: OPERATOR }
  const row = await makeChange((tx) => connectSource(tx, source, { config, key }, clock()))
  return `${owner.name} has the calendar ${row.id} at ${row.host}. ${await resultOfRead(db, row, clock)}`
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
    sources.map(({ id, resource_id, name, host, read_at, next_at, problem, busy_soon }) => ({
      id,
      of: resource_id,
      name,
      host,
      busy_in_30_days: busy_soon,
      read: time(read_at),
      next: time(next_at),
      problem: problem ?? '',
    })),
  )
}
