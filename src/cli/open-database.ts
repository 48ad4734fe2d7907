import { randomBytes } from 'node:crypto'
import closeWithGrace from 'close-with-grace'
import pino, { type Logger } from 'pino'
import { readOrCreateSecret } from '../infra/config/data-folder.ts'
import { type Config, readConfig } from '../infra/config/read-config.ts'
import { findSchemaFault, findUnknownMigrationFault } from '../infra/db/check-database-readiness.ts'
import { type Database, type OpenDatabase, openDatabase, SERVER_APPLICATION_NAME } from '../infra/db/database.ts'
import { type DatabaseClock, databaseClock } from '../infra/db/database-clock.ts'
import { isUnreachable } from '../infra/db/database-failures.ts'
import { startEmbeddedPostgres } from '../infra/db/embedded-postgres.ts'
import { migrate } from '../infra/db/run-migrations.ts'
import { describeHosts } from '../infra/net/parse-database-url.ts'
import { PlainError } from '../infra/util/command-line-error.ts'
import type { Runtime } from '../server/build-dependencies.ts'
import { END_SIGNALS, onEndSignal } from './shutdown-signals.ts'

export interface Connected {
  config: Config
  log: Logger
  db: OpenDatabase
  databaseUrl: string
  /**
   * The connection URL of PostgreSQL for work that needs its own connection, such as migrations. If DATABASE_DIRECT_URL
   * is set, this URL bypasses the connection pooler.
   */
  directUrl: string
  clock: () => Date
  /**
   * Starts comparing the clock of this machine with the clock of the database. While the clock of this machine is
   * wrong, the server refuses changes.
   */
  keepTime(): void
  /** Adds a step to the shutdown. The step must end before the database connections close. */
  beforeClose(step: () => Promise<unknown>): void
  /** Closes everything that the command opened, in reverse order. Ctrl-C during the command has the same effect. */
  close(): Promise<void>
}

/**
 * The state of the database schema that a command requires.
 * - `made new`: the command migrates the schema to the newest version.
 * - `fitting`: this version of the program can use the schema.
 * - `known`: this version of the program knows all migrations of the database.
 * - `any`: the command does not check the schema.
 */
type SchemaDemand = 'made new' | 'fitting' | 'known' | 'any'

interface Options {
  logTo?: NodeJS.WritableStream
  schema?: SchemaDemand
  /**
   * Loads modules while the embedded PostgreSQL starts, or while this process connects to another PostgreSQL. Loading
   * modules blocks this process, but not PostgreSQL.
   */
  loadMeanwhile?: () => Promise<unknown>
}

/**
 * The maximum time for all steps of the shutdown together, in milliseconds. After this time, the process ends, even if
 * a step still runs.
 */
const GRACE_MS = 20_000

export async function connect(options: Options = {}): Promise<Connected> {
  return (await connectWithClock(options)).connected
}

export interface Opened extends Connected {
  runtime: Runtime
  secretKey: string
  standby: OpenDatabase | undefined
}

/** Opens the database like `connect`. Also creates `runtime`, the objects that all parts of the server share. */
export async function open(options: Options = {}): Promise<Opened> {
  const { connected, time } = await connectWithClock(options)
  try {
    return await withRuntime(connected, time)
  } catch (error) {
    await connected.close()
    throw error
  }
}

async function withRuntime(connected: Connected, time: DatabaseClock): Promise<Opened> {
  const { config, db, log, clock, beforeClose } = connected
  const secretKey =
    config.secretKey ?? readOrCreateSecret(config.dataDir, 'secret-key', () => randomBytes(48).toString('base64url'))
  const [{ operations }, { makeRuntime }] = await Promise.all([
    import('../server/all-operations.ts'),
    import('../server/build-dependencies.ts'),
  ])
  const standby = openStandby(config, log)
  if (standby) beforeClose(() => standby.destroy())
  return {
    ...connected,
    secretKey,
    standby,
    runtime: makeRuntime({ config, db, standby, log, clock, clockFault: time.fault, secretKey, operations }),
  }
}

/**
 * Opens the connections to the standby database, if one is configured. The server does not wait for the standby at its
 * start, and reads from the standby as soon as it answers.
 */
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

async function connectWithClock({ logTo, schema = 'fitting', loadMeanwhile = async () => {} }: Options) {
  const config = readConfig(process.env)
  const log = pino({ level: config.logLevel, base: null }, logTo ?? process.stdout)
  const { steps, close } = installClosing(log)
  try {
    // If the modules cannot be loaded, the caller gets the error when it loads them again.
    const load = () => void loadMeanwhile().catch(() => {})
    const url = config.databaseUrl ?? (await startEmbedded(config, { log, steps, load }))
    if (config.databaseUrl !== undefined) load()
    const time = databaseClock(log)
    const onError = (error: Error) => log.warn({ err: error }, 'A database connection was lost.')
    const name = schema === 'made new' ? { name: SERVER_APPLICATION_NAME } : {}
    const db = openDatabase(url, config.databasePool, onError, {
      assertChangesAllowed: time.assertChangesAllowed,
      ...name,
    })
    steps.push(() => db.destroy())
    const directUrl = config.databaseDirectUrl ?? url
    await retryUntilAnswered(() => prepare({ directUrl, db, time, schema })).catch((error) =>
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

/**
 * The maximum time to connect to the database at the start, in milliseconds. The database can need this time when the
 * whole machine starts.
 */
const CONNECT_RETRY_MS = 30_000

async function retryUntilAnswered(work: () => Promise<void>): Promise<void> {
  const until = performance.now() + CONNECT_RETRY_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (isRefused(error) || !isUnreachable(error) || performance.now() > until) throw error
    }
  }
}

/**
 * Whether the error says that the database host does not exist, or that its port accepts no connections. The command
 * reports such an error immediately instead of trying again.
 */
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
  known: findUnknownMigrationFault,
}

interface Closing {
  /** The steps of the shutdown. The last step runs first. */
  steps: (() => Promise<unknown>)[]
}

function installClosing(log: Logger): Closing & Pick<Connected, 'close'> {
  const steps: Closing['steps'] = []
  const end = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await step()
  }
  const grace = closeWithGrace({ delay: GRACE_MS, logger: false, skip: [...END_SIGNALS] }, async ({ err }) => {
    if (err) log.fatal({ err }, 'The process cannot continue.')
    await end()
  })
  const hearNoMore = onEndSignal(grace.close)
  const close = async () => {
    hearNoMore()
    grace.uninstall()
    await end()
  }
  return { steps, close }
}

/**
 * Copies a database through a backup file. The backup modules load only here, because only the move of the embedded
 * database to a newer PostgreSQL needs them.
 */
const copyDatabase = async (from: string, to: string, file: string) =>
  (await import('../core/backup/restore-backup.ts')).copyDatabase(from, to, file)

async function startEmbedded(
  config: Config,
  { log, steps, load }: Closing & { log: Logger; load: () => void },
): Promise<string> {
  const upgrade = { oldPrograms: config.oldPostgres, carryOver: copyDatabase }
  const starting = startEmbeddedPostgres(config.dataDir, (message) => log.warn(message), upgrade, load)
  // Ctrl-C during the start must also stop PostgreSQL. Therefore the step that stops PostgreSQL is added before
  // PostgreSQL has started.
  steps.push(() =>
    starting.then(
      (postgres) => postgres.stop(),
      () => {},
    ),
  )
  return (await starting).url
}

/**
 * Converts a database error to advice for the operator. The advice can contain the host name, but never the password.
 */
function explained(error: unknown, url: string): unknown {
  if (error instanceof PlainError) return error
  const places = describeHosts(url)
  if (error instanceof Error && 'severity' in error)
    return new PlainError(`PostgreSQL at ${places} refuses the connection: ${error.message}. Correct DATABASE_URL.`)
  if (error instanceof Error && 'code' in error && error.code === 'ENOTFOUND')
    return new PlainError(`This host name does not exist: ${places}. Set DATABASE_URL to the host of PostgreSQL.`)
  if (isUnreachable(error)) return new PlainError(`No PostgreSQL answers at ${places}. Start it, or set DATABASE_URL.`)
  return error
}
