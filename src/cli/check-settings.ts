import { accessSync, constants } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../infra/config/read-config.ts'
import { type Database, type OpenDatabase, onlyRow } from '../infra/db/database.ts'
import { isPrivilegeMissing, isUnreachable } from '../infra/db/database-failures.ts'
import { isThisMachine } from '../infra/net/ip-addresses.ts'
import { PlainError } from '../infra/util/command-line-error.ts'
import { asRecord } from '../infra/util/object-members.ts'
import { withTimeout } from '../infra/util/with-timeout.ts'

const STANDBY_TIMEOUT_MS = 2_000

/**
 * Throws an error if BASE_URL is a public URL and USP_MODE is not set. Otherwise, the server would start in development
 * mode, in which a business definition can switch authentication off.
 */
export function refuseUnclearMode({ USP_MODE: mode, BASE_URL: address = '' }: NodeJS.ProcessEnv): void {
  const url = URL.parse(address)
  if (mode || url?.protocol !== 'https:' || isThisMachine(url)) return
  throw new PlainError(
    'BASE_URL is https and USP_MODE is not set, so this would be a development server, which can be opened to everybody. ' +
      'Set USP_MODE=production, or USP_MODE=development if you want a development server.',
  )
}

export interface CheckedDatabases {
  db: Database
  standby: OpenDatabase | undefined
}

/**
 * Checks the settings of the server. Returns a warning for each wrong setting with which the server can still run.
 * Throws an error for any other wrong setting.
 */
export async function checkSettings(config: Config, { db, standby }: CheckedDatabases): Promise<string[]> {
  const warnings = await Promise.all([
    businessFileWarning(config),
    backupsWarning(config),
    poolWarning(config, db),
    standby && standbyWarning(db, standby),
  ])
  return warnings.filter((warning) => warning !== undefined)
}

/**
 * Returns a warning if the server cannot read USP_BUSINESS_FILE. The server needs this file only for an empty database.
 * Without the warning, the operator would notice a wrong file name much later.
 */
function businessFileWarning({ businessFile }: Config): string | undefined {
  if (businessFile === undefined) return undefined
  try {
    accessSync(businessFile, constants.R_OK)
    return undefined
  } catch (error) {
    return `USP_BUSINESS_FILE ${businessFile} cannot be read (${asRecord(error).code}). The server does not need it now, because a business is set up.`
  }
}

/**
 * Creates the backup folder, and writes a test file into it. Therefore the operator notices a wrong folder when the
 * server starts, and not when a backup is due.
 */
export async function backupsWarning({ backups }: Pick<Config, 'backups'>): Promise<string | undefined> {
  if (backups === undefined) return undefined
  const probe = join(backups.folder, `.usp-probe-${process.pid}`)
  try {
    await mkdir(backups.folder, { recursive: true, mode: 0o700 })
    await writeFile(probe, '')
    await rm(probe)
    return undefined
  } catch (error) {
    const { code } = asRecord(error)
    return `USP_BACKUP_DIR ${backups.folder} cannot be used (${code}), so the server takes no backups. Set it to a folder that this user (${process.getuid?.()}) may write to.`
  }
}

/**
 * Returns the number of database connections that a server opens: the pool for calls, half of this number for
 * background work, and one connection for notifications.
 */
const connectionsOf = (pool: number) => Math.ceil(pool * 1.5) + 1

async function poolWarning({ databasePool, databaseDirectUrl }: Config, db: Database): Promise<string | undefined> {
  // With a pooler, the connection limit of PostgreSQL does not matter, because the pooler limits the connections
  // itself.
  if (databaseDirectUrl !== undefined) return undefined
  const settings = sql<{ most: number }>`
    select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as most`
  const { most } = onlyRow(await settings.execute(db))
  const needed = connectionsOf(databasePool)
  if (needed <= most) return undefined
  return `DATABASE_POOL is ${databasePool}, so this server may open ${needed} connections, but PostgreSQL allows ${most}. Lower DATABASE_POOL, or raise max_connections of PostgreSQL.`
}

/**
 * Identifies a database by its name and its PostgreSQL cluster. A primary database and its standby databases have the
 * same name and cluster.
 */
const identity = sql<{ cluster: string; name: string }>`
  select system_identifier::text as cluster, current_database() as name from pg_control_system()`

async function standbyWarning(db: Database, standby: OpenDatabase): Promise<string | undefined> {
  const late = () => new Error('It does not answer in time.')
  try {
    const [ours, theirs] = await Promise.all([
      identity.execute(db).then(onlyRow),
      withTimeout(identity.execute(standby).then(onlyRow), STANDBY_TIMEOUT_MS, late),
    ])
    if (ours.cluster === theirs.cluster && ours.name === theirs.name) return undefined
  } catch (error) {
    // Some database users may not read the cluster identifier. The server then does not compare the standby with the
    // primary database.
    if (isPrivilegeMissing(error)) return undefined
    const why = isUnreachable(error) || !(error instanceof Error) ? 'no standby answers there' : error.message
    return `DATABASE_READ_URL is not used at present (${why}): the primary answers all reads until a standby is available.`
  }
  throw new PlainError(
    'DATABASE_READ_URL leads to a database that is not a standby of the one in DATABASE_URL. Set it to standbys of that database, or remove it.',
  )
}
