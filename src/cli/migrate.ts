import { findPendingMigrations, type Migrations } from '../infra/db/migrate.ts'
import { migrationFiles, needsOf, readMigration } from '../infra/db/migrations.ts'
import { USP } from '../infra/util/command-name.ts'
import { connect } from './open.ts'
import { parseArguments } from './parse-arguments.ts'

const USAGE = `Usage: ${USP} migrate [--check]`

export async function run(args: string[]) {
  const options = { check: { type: 'boolean', default: false } } as const
  const { check } = parseArguments({ args, options }, USAGE).values
  const { directUrl, close } = await connect({ schema: check ? 'any' : 'made new' })
  try {
    console.log(check ? said(await findPendingMigrations(directUrl)) : 'The database has the newest schema.')
  } finally {
    await close()
  }
}

function said({ names, areOld }: Migrations): string {
  if (names.length === migrationFiles.length)
    return `The database is empty: a start would make its schema (${names.length} migrations).`
  const told = names.map((name) => `  ${name}: ${meaning(needsOf(readMigration(name)))}`)
  if (areOld)
    told.unshift('  what ran so far is written down under other names: servers of before stop serving; end them first')
  return told.length === 0
    ? 'The database has all that this version knows: a start would change nothing.'
    : `A start of this version would run, in this order:\n${told.join('\n')}`
}

const meaning = (needs: string | null) =>
  needs === null ? 'servers of before go on' : `servers without ${needs} stop serving`
