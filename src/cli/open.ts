import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { type Config, readConfig } from '../config.ts'
import { keepSecret } from '../data-folder.ts'
import { isUnreachable, openDatabase } from '../db/database.ts'
import { startEmbeddedPostgres } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { PlainError } from '../plain-error.ts'
import { makeCursors } from '../protocol/cursor.ts'
import type { Runtime } from '../runtime.ts'
import { deriveKey } from '../trust/secret-box.ts'

export interface Opened {
  runtime: Runtime
  secretKey: string
  close(): Promise<void>
}

/** Reads the settings, finds or starts the database and brings it to the newest schema. */
export async function open({ logTo = process.stdout }: { logTo?: NodeJS.WritableStream } = {}): Promise<Opened> {
  const config = readConfig(process.env)
  const log = pino({ level: config.logLevel, base: null }, logTo)
  const postgres = config.databaseUrl ? undefined : await startEmbeddedPostgres(config.dataDir)
  const url = config.databaseUrl ?? postgres?.url ?? ''
  try {
    await migrate(url)
  } catch (error) {
    await postgres?.stop()
    throw explained(error, url)
  }
  const secretKey =
    config.secretKey ?? keepSecret(config.dataDir, 'secret-key', () => randomBytes(48).toString('base64url'))
  const db = openDatabase(url, config.databasePool, (error) =>
    log.warn({ err: error }, 'idle database connection lost'),
  )
  return {
    runtime: { config, db, log, clock: () => new Date(), cursors: makeCursors(deriveKey(secretKey, 'cursors')) },
    secretKey,
    async close() {
      await db.destroy()
      await postgres?.stop()
    },
  }
}

/** A database that cannot be used is the operator's to mend; the text may name the server but never the password. */
function explained(error: unknown, url: string): unknown {
  if (error instanceof PlainError) return error
  const { hostname, port } = new URL(url)
  if (isUnreachable(error))
    return new PlainError(`No PostgreSQL answers at ${hostname}:${port || 5432}. Start it, or set DATABASE_URL.`)
  if (error instanceof Error && 'severity' in error)
    return new PlainError(`The database of DATABASE_URL refuses: ${error.message}.`)
  return error
}

export const isDevelopment = ({ mode }: Config) => mode === 'development'
