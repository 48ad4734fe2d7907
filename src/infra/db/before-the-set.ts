import type pg from 'pg'
import { PlainError } from '../util/plain-error.ts'
import { files, markAsRun } from './migrations.ts'

/** The last of the old migrations, which the current set replaced. */
const LAST_OF_BEFORE = '0086_near_and_soon.sql'
/** The start of the name of the last file in that set. */
const LAST_OF_THE_SET = '0014'

export const set = files.filter((name) => name < `${LAST_OF_THE_SET}~`)

export const isOfBefore = (names: readonly string[]): boolean => names.includes(LAST_OF_BEFORE)

/** The current names of the old migrations that ran. */
export function namesOfToday(names: readonly string[]): readonly string[] {
  if (isOfBefore(names)) return set
  throw new PlainError(
    `This database is too old to be brought to this version at once. Check out the last commit that has migrations/${LAST_OF_BEFORE}, start it, then start this one.`,
  )
}

/** Gives the table of migrations its old columns. */
export const LIST_OF_BEFORE = 'alter table migrations drop column needs'

/** Replaces the old names in the table of migrations by the current ones. */
export async function adopt(client: pg.Client): Promise<void> {
  await client.query('alter table migrations add column needs text')
  await client.query('delete from migrations')
  for (const name of set) await markAsRun(client, name)
}
