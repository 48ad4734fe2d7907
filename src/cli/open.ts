import { randomBytes } from 'node:crypto'
import closeWithGrace from 'close-with-grace'
import pino, { type Logger } from 'pino'
import { carryOver } from '../core/backup/carry-over.ts'
import { type Config, readConfig } from '../infra/config/config.ts'
import { keepSecret } from '../infra/config/data-folder.ts'
import { type DatabaseClock, databaseClock } from '../infra/db/clock.ts'
import { type Database, type OpenDatabase, openDatabase, SERVING } from '../infra/db/database.ts'
import { startEmbeddedPostgres } from '../infra/db/embedded.ts'
import { isUnreachable } from '../infra/db/failures.ts'
import { migrate } from '../infra/db/migrate.ts'
import { findSchemaFault, findUnknown } from '../infra/db/readiness.ts'
import { placesOf } from '../infra/net/database-hosts.ts'
import { PlainError } from '../infra/util/plain-error.ts'
import { operations } from '../server/operations.ts'
import { makeRuntime, type Runtime } from '../server/runtime.ts'
import { SIGNALS, whenToldToEnd } from './when-told-to-end.ts'

export interface Connected {
  config: Config
  log: Logger
  db: OpenDatabase
  databaseUrl: string
  /** Of the database itself, where that is known: nothing that is a pooler's in between. */
  directUrl: string
  /** What time it is for the database. */
  clock: () => Date
  /** From now on the clock is kept right, and nothing is changed while it cannot be. */
  keepTime(): void
  /** Adds what must end before the database does. */
  beforeClose(step: () => Promise<unknown>): void
  /** Ends everything, the last opened first. Ctrl-C does it too. */
  close(): Promise<void>
}

/** What is asked of the schema: to be made the newest, to be one that this version works with, to have nothing that it does not know, or nothing. */
type SchemaDemand = 'made new' | 'fitting' | 'known' | 'any'

interface Options {
  logTo?: NodeJS.WritableStream
  schema?: SchemaDemand
}

/** How long, in milliseconds, everything may take to end before the process does all the same. */
const GRACE = 20_000

/** Reads the settings and finds or starts the database. */
export async function connect(options: Options = {}): Promise<Connected> {
  return (await connectWithClock(options)).connected
}

interface Opened extends Connected {
  runtime: Runtime
  secretKey: string
  standby: OpenDatabase | undefined
}

/** The same, and what a server needs besides. */
export async function open(options: Options = {}): Promise<Opened> {
  const { connected, time } = await connectWithClock(options)
  const { config, db, log, clock, beforeClose } = connected
  const secretKey =
    config.secretKey ?? keepSecret(config.dataDir, 'secret-key', () => randomBytes(48).toString('base64url'))
  const standby = openStandby(config, log)
  if (standby) beforeClose(() => standby.destroy())
  return {
    ...connected,
    secretKey,
    standby,
    runtime: makeRuntime({ config, db, standby, log, clock, clockFault: time.fault, secretKey, operations }),
  }
}

/** Nobody waits for it: it is read once it answers. */
const openStandby = ({ databaseReadUrl, databasePool }: Config, log: Logger): OpenDatabase | undefined =>
  databaseReadUrl === undefined
    ? undefined
    : openDatabase(
        databaseReadUrl,
        databasePool,
        (error) => log.debug({ err: error }, 'A connection to the standby was lost.'),
        {
          isForReading: true,
        },
      )

async function connectWithClock({ logTo, schema = 'fitting' }: Options) {
  const config = readConfig(process.env)
  const log = pino({ level: config.logLevel, base: null }, logTo ?? process.stdout)
  const { steps, close } = closing(log)
  try {
    const url = config.databaseUrl ?? (await startEmbedded(config, log, steps))
    const time = databaseClock(log)
    const onError = (error: Error) => log.warn({ err: error }, 'A database connection was lost.')
    const name = schema === 'made new' ? { name: SERVING } : {}
    const db = openDatabase(url, config.databasePool, onError, { mayBegin: time.mayBegin, ...name })
    steps.push(() => db.destroy())
    const directUrl = config.databaseDirectUrl ?? url
    await patiently(() => prepare({ directUrl, db, time, schema })).catch((error) =>
      Promise.reject(explained(error, url)),
    )
    const keepTime = () => {
      const stop = time.keep(db)
      steps.push(async () => stop())
    }
    const beforeClose: Connected['beforeClose'] = (step) => void steps.push(step)
    const connected = { config, log, db, databaseUrl: url, directUrl, clock: time.now, keepTime, beforeClose, close }
    return { connected, time }
  } catch (error) {
    await close()
    throw error
  }
}

/** Milliseconds in which a database that does not answer is asked again: where all of a machine starts at once it is slow. */
const PATIENCE = 30_000

async function patiently(work: () => Promise<void>): Promise<void> {
  const until = performance.now() + PATIENCE
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (isRefused(error) || !isUnreachable(error) || performance.now() > until) throw error
    }
  }
}

/** Nobody is there: that is told at once. */
const isRefused = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ECONNREFUSED', 'ENOTFOUND'].includes(String(error.code))

async function prepare(database: { directUrl: string; db: Database; time: DatabaseClock; schema: SchemaDemand }) {
  if (database.schema === 'made new') await migrate(database.directUrl)
  const fault = await schemaFaults[database.schema]?.(database.db)
  if (fault !== undefined) throw new PlainError(fault)
  await database.time.check(database.db)
}

const schemaFaults: Partial<Record<SchemaDemand, (db: Database) => Promise<string | undefined>>> = {
  fitting: findSchemaFault,
  known: findUnknown,
}

function closing(log: Logger) {
  const steps: (() => Promise<unknown>)[] = []
  const end = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await step()
  }
  const grace = closeWithGrace({ delay: GRACE, logger: false, skip: [...SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'The process cannot go on.')
    await end()
  })
  const hearNoMore = whenToldToEnd(grace.close)
  const close = async () => {
    hearNoMore()
    grace.uninstall()
    await end()
  }
  return { steps, close }
}

async function startEmbedded(config: Config, log: Logger, steps: (() => Promise<unknown>)[]): Promise<string> {
  const upgrade = { oldPrograms: config.oldPostgres, carryOver }
  const starting = startEmbeddedPostgres(config.dataDir, (what) => log.warn(what), upgrade)
  // Told before it runs: a Ctrl-C in between must stop it as well.
  steps.push(() =>
    starting.then(
      (postgres) => postgres.stop(),
      () => {},
    ),
  )
  return (await starting).url
}

/** A database that cannot be used is the operator's to mend; the text may name the server but never the password. */
function explained(error: unknown, url: string): unknown {
  if (error instanceof PlainError) return error
  const places = placesOf(url)
  if (error instanceof Error && 'severity' in error)
    return new PlainError(`PostgreSQL at ${places} refuses: ${error.message}. Set DATABASE_URL.`)
  if (error instanceof Error && 'code' in error && error.code === 'ENOTFOUND')
    return new PlainError(`There is no host of that name: ${places}. Set DATABASE_URL to where PostgreSQL is.`)
  if (isUnreachable(error)) return new PlainError(`No PostgreSQL answers at ${places}. Start it, or set DATABASE_URL.`)
  return error
}
