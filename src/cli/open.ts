import { randomBytes } from 'node:crypto'
import closeWithGrace from 'close-with-grace'
import pino, { type Logger } from 'pino'
import { type Config, readConfig } from '../config.ts'
import { keepSecret } from '../data-folder.ts'
import { type Database, isUnreachable, openDatabase } from '../db/database.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { operations } from '../operations.ts'
import { PlainError } from '../plain-error.ts'
import { makeRuntime, type Runtime } from '../runtime.ts'

export interface Connected {
  config: Config
  log: Logger
  db: Database
  databaseUrl: string
  /** Adds what must end before the database does. */
  beforeClose(step: () => Promise<unknown>): void
  /** Ends everything, the last opened first. Ctrl-C does it too. */
  close(): Promise<void>
}

/** How long, in milliseconds, everything may take to end before the process does all the same. */
const GRACE = 20_000

/** Reads the settings and finds or starts the database; it has the newest schema unless asked otherwise. */
export async function connect({
  logTo,
  migrated = true,
}: {
  logTo?: NodeJS.WritableStream
  migrated?: boolean
} = {}): Promise<Connected> {
  const config = readConfig(process.env)
  const log = pino({ level: config.logLevel, base: null }, logTo ?? process.stdout)
  const steps: (() => Promise<unknown>)[] = []
  const grace = closeWithGrace({ delay: GRACE, logger: false }, async ({ err }) => {
    if (err) log.fatal({ err }, 'the process cannot go on')
    await end()
  })
  const end = async () => {
    for (let step = steps.pop(); step; step = steps.pop()) await step()
  }
  const close = async () => {
    grace.uninstall()
    await end()
  }
  try {
    const url = config.databaseUrl ?? (await startEmbedded(config, steps))
    if (migrated) await migrate(url).catch((error) => Promise.reject(explained(error, url)))
    const db = openDatabase(url, config.databasePool, (error) => log.warn({ err: error }, 'database connection lost'))
    steps.push(() => db.destroy())
    return { config, log, db, databaseUrl: url, beforeClose: (step) => void steps.push(step), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The same, and what a server needs besides. */
export async function open(
  options: Parameters<typeof connect>[0] = {},
): Promise<Connected & { runtime: Runtime; secretKey: string }> {
  const connected = await connect(options)
  const { config, db, log } = connected
  const secretKey =
    config.secretKey ?? keepSecret(config.dataDir, 'secret-key', () => randomBytes(48).toString('base64url'))
  return {
    ...connected,
    secretKey,
    runtime: makeRuntime({ config, db, log, clock: () => new Date(), secretKey, operations }),
  }
}

async function startEmbedded(config: Config, steps: (() => Promise<unknown>)[]): Promise<string> {
  const starting = startEmbeddedPostgres(config.dataDir)
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
  const { hostname, port } = new URL(url)
  if (isUnreachable(error))
    return new PlainError(`No PostgreSQL answers at ${hostname}:${port || 5432}. Start it, or set DATABASE_URL.`)
  if (error instanceof Error && 'severity' in error)
    return new PlainError(`PostgreSQL at ${hostname}:${port || 5432} refuses: ${error.message}. Set DATABASE_URL.`)
  return error
}
