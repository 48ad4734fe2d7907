import { migrationFiles, needsOf, readMigration } from '../infra/db/migration-files.ts'
import { findPendingMigrations } from '../infra/db/run-migrations.ts'
import { USP } from '../infra/util/command-line-error.ts'
import { connect } from './open-database.ts'
import { parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} migrate [--check]`

export async function run(args: string[]) {
  const options = { check: { type: 'boolean', default: false } } as const
  const { check } = parseArguments({ args, options }, USAGE).values
  const { directUrl, close } = await connect({ schema: check ? 'any' : 'made new' })
  try {
    console.log(check ? pendingText(await findPendingMigrations(directUrl)) : 'The database has the newest schema.')
  } finally {
    await close()
  }
}

function pendingText(names: readonly string[]): string {
  if (names.length === migrationFiles.length)
    return `The database is empty: a start would create its schema (${names.length} migrations).`
  const lines = names.map((name) => `  ${name}: ${meaning(needsOf(readMigration(name)))}`)
  return lines.length === 0
    ? 'The database has all migrations of this version: a start would change nothing.'
    : `A start of this version would run, in this order:\n${lines.join('\n')}`
}

const meaning = (needs: string | null) =>
  needs === null ? 'servers of the previous version keep serving' : `servers without ${needs} stop serving`
