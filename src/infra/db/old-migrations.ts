import type pg from 'pg'
import { PlainError } from '../util/plain-error.ts'
import { markAsRun, migrationFiles } from './migrations.ts'

/** The last of the old migrations, which the current set replaced. */
const LAST_OLD_MIGRATION = '0086_near_and_soon.sql'
/** The start of the name of the last file in that set. */
const LAST_OF_CURRENT_SET = '0014'

export const currentSet = migrationFiles.filter((name) => name < `${LAST_OF_CURRENT_SET}~`)

export const areOldMigrations = (names: readonly string[]): boolean => names.includes(LAST_OLD_MIGRATION)

/** The current names of the old migrations that ran. */
export function currentNames(names: readonly string[]): readonly string[] {
  if (areOldMigrations(names)) return currentSet
  throw new PlainError(
    `This database is too old to migrate to this version in one step. Check out the last commit that has migrations/${LAST_OLD_MIGRATION}, start it, then start this one.`,
  )
}

/** Gives the table of migrations its old columns. */
export const TO_OLD_LIST = 'alter table migrations drop column needs'

/** Replaces the old names in the table of migrations by the current ones. */
export async function renameOldMigrations(client: pg.Client): Promise<void> {
  await client.query('alter table migrations add column needs text')
  await client.query('delete from migrations')
  for (const name of currentSet) await markAsRun(client, name)
}
