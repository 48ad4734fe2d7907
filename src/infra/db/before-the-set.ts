import type pg from 'pg'
import { PlainError } from '../util/plain-error.ts'
import { files, markAsRun } from './migrations.ts'

/** The last of the migrations that were written one after the other, up to here. */
const LAST_OF_BEFORE = '0086_near_and_soon.sql'
/** The last of the set that they became, which makes the same. */
const LAST_OF_THE_SET = '0014'

export const set = files.filter((name) => name < `${LAST_OF_THE_SET}~`)

export const isOfBefore = (names: readonly string[]): boolean => names.includes(LAST_OF_BEFORE)

/** Those by which the same is made today that these made before. */
export function namesOfToday(names: readonly string[]): readonly string[] {
  if (isOfBefore(names)) return set
  throw new PlainError(
    `This database is too old to be brought to this version at once. Check out the last commit that has migrations/${LAST_OF_BEFORE}, start it, then start this one.`,
  )
}

/** Makes the list of those that ran what it was before any of them said what it needs. */
export const LIST_OF_BEFORE = 'alter table migrations drop column needs'

/** Writes down what ran before as what it is today. */
export async function adopt(client: pg.Client): Promise<void> {
  await client.query('alter table migrations add column needs text')
  await client.query('delete from migrations')
  for (const name of set) await markAsRun(client, name)
}
