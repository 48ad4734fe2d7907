import { sql } from 'kysely'
import type { Database, Tx } from '../../infra/db/database.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * Returns the current business definition: its services, people, hours and prices. Returns undefined before the first
 * `usp apply`, the command that stores a definition.
 */
export async function businessDefinition(db: Database): Promise<BusinessDefinition | undefined> {
  const { rows } = await sql<{ definition: BusinessDefinition }>`select definition from business`.execute(db)
  return rows[0]?.definition
}

/**
 * Returns the current business definition. Returns undefined if the database table does not exist yet, or if no
 * definition is stored.
 */
export async function definitionIfAny(db: Database): Promise<BusinessDefinition | undefined> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass('business') is not null as exists`.execute(db)
  return rows[0]?.exists ? businessDefinition(db) : undefined
}

/**
 * How long a transaction may be idle while it stores a new business definition. With a large definition, the server
 * computes for seconds between two SQL statements. On a slow machine, the usual limit would be too short.
 */
const APPLY_IDLE_LIMIT = '60s'

/**
 * Locks the business definition, so that only one transaction at a time can change it. The lock lasts until the
 * transaction ends. Returns the current definition.
 */
export async function definitionLock(tx: Tx): Promise<BusinessDefinition | undefined> {
  await sql`lock table business in share row exclusive mode`.execute(tx)
  await sql`select set_config('idle_in_transaction_session_timeout', ${APPLY_IDLE_LIMIT}, true)`.execute(tx)
  return businessDefinition(tx)
}

export interface DefinitionInForce {
  version: number
  definition: BusinessDefinition
}

/**
 * Returns the current business definition together with its version. One query reads the definition and the version, so
 * they always belong together.
 */
export async function definitionInForce(db: Database): Promise<DefinitionInForce | undefined> {
  const { rows } = await sql<DefinitionInForce>`select version, definition from business`.execute(db)
  return rows[0]
}

/**
 * Locks and returns the version of the business definition. Until this transaction ends, no other transaction can
 * change the definition.
 */
export async function versionLock(tx: Tx): Promise<number> {
  await sql`lock table business in row exclusive mode`.execute(tx)
  return businessVersion(tx)
}

export async function isSessionsVersionBehind(db: Database): Promise<boolean> {
  const { rows } = await sql`select from business where sessions_version <> version`.execute(db)
  return rows.length > 0
}

export async function sessionsVersionSet(db: Database, version: number, isComplete: boolean): Promise<void> {
  const reached = isComplete ? version : 0
  await sql`
    update business set sessions_version = ${reached}
    where version = ${version} and sessions_version <> ${reached}`.execute(db)
}

/**
 * Returns the version of the business definition, or 0 if no definition is stored. Each run of the command `usp apply`
 * increases the version.
 */
export async function businessVersion(db: Database): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from business`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * Stores the business definition. Returns the modification time of all services that this definition changes. This time
 * is later than all earlier modification times.
 */
export async function businessUpsert(tx: Tx, definition: BusinessDefinition, now: Date): Promise<Date> {
  const { id, currency, language = 'en' } = definition.business
  const search = definition.catalogue?.search ?? true
  const { rows } = await sql<{ catalogue_modified_at: Date }>`
    insert into business (definition, version, id, currency, language, search, applied_at, catalogue_modified_at)
    values (${JSON.stringify(definition)}::json, 1, ${id}, ${currency}, ${language}, ${search}, ${now}, ${now})
    on conflict (only_row) do update set
      definition = excluded.definition, version = business.version + 1, id = excluded.id,
      currency = excluded.currency, language = excluded.language, search = excluded.search,
      applied_at = excluded.applied_at,
      catalogue_modified_at =
        greatest(excluded.catalogue_modified_at, business.catalogue_modified_at + interval '1 millisecond')
    returning catalogue_modified_at`.execute(tx)
  return rows[0]?.catalogue_modified_at ?? now
}

export async function locationsReplace(tx: Tx, { locations = [] }: BusinessDefinition): Promise<void> {
  await tx.deleteFrom('locations').execute()
  if (locations.length === 0) return
  await tx
    .insertInto('locations')
    .values(
      locations.map(({ id, coordinates }) => ({
        id,
        latitude: coordinates?.lat ?? null,
        longitude: coordinates?.lng ?? null,
      })),
    )
    .execute()
}
