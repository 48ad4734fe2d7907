#!/usr/bin/env node
import manifest from '../package.json' with { type: 'json' }
import type { Failure } from './infra/db/database-failures.ts'
import { PlainError, USP } from './infra/util/command-line-error.ts'

type Command = { run(args: string[]): Promise<void> }

const commands: Record<string, { does: string; load(): Promise<Command> }> = {
  serve: {
    does: '[--new]: start the server; --new starts without the demo business',
    load: () => import('./cli/serve.ts'),
  },
  apply: {
    does: 'FILE [--dry-run]: apply a business definition',
    load: () => import('./cli/apply-definition-command.ts'),
  },
  staff: {
    does: 'add NAME [--role ROLE] | link NAME | list | revoke ID: the staff members',
    load: () => import('./cli/staff-command.ts'),
  },
  clients: {
    does: 'add NAME | redirect ID | list | rotate ID | revoke ID: platforms with a key and a secret',
    load: () => import('./cli/clients-command.ts'),
  },
  calendars: {
    does: 'add [--resource ID] | list | revoke ID: secret addresses for calendar programs',
    load: () => import('./cli/calendar-feeds-command.ts'),
  },
  keys: {
    does: 'list | rotate | compromise KID | reseal: the signing keys, and the secret key that seals them',
    load: () => import('./cli/signing-keys-command.ts'),
  },
  events: {
    does: 'list | show ID | replay ID | replay --since TIME: events sent to platforms',
    load: () => import('./cli/events-command.ts'),
  },
  mails: {
    does: 'list | show ID | replay ID: notifications sent to people',
    load: () => import('./cli/mails-command.ts'),
  },
  jobs: {
    does: 'list | run NAME: the scheduled jobs of the server',
    load: () => import('./cli/background-jobs-command.ts'),
  },
  listings: {
    does: 'list [TEXT] | remove ID: the businesses in the registry',
    load: () => import('./cli/directory-listings-command.ts'),
  },
  verify: { does: 'prove that nothing was ever booked twice', load: () => import('./cli/verify-ledger-command.ts') },
  backup: {
    does: 'FILE | --check FILE: write all data to one file, or check that a backup can be restored',
    load: () => import('./cli/backup-command.ts'),
  },
  restore: {
    does: '[--unchecked] FILE | --secret FILE: restore a backup into an empty database, or print the secret key in it',
    load: () => import('./cli/restore-backup-command.ts'),
  },
  import: {
    does: 'FILE [--yes]: import bookings of another system (CSV, calendar); without --yes a dry run',
    load: () => import('./cli/import-bookings-command.ts'),
  },
  export: {
    does: '--buyer EMAIL|NUMBER: print all stored data of one person',
    load: () => import('./cli/export-person-command.ts'),
  },
  migrate: {
    does: '[--check]: migrate the database to the newest schema, or list the migrations that a start would run',
    load: () => import('./cli/migrate-database-command.ts'),
  },
  health: {
    does: 'check that the server with these settings answers on this machine',
    load: () => import('./cli/health-check-command.ts'),
  },
  'mcp-stdio': {
    does: 'serve the tools over standard input and output',
    load: () => import('./cli/mcp-stdio-command.ts'),
  },
}

const usage = `Usage: ${USP} COMMAND

${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(10)} ${does}`)
  .join('\n')}`

const isVersion = (word: string) => ['version', '--version', '-v'].includes(word)

const isHelp = (word: string) => ['help', '--help', '-h'].includes(word)

const lost: Record<Failure, string> = {
  unreachable: 'The database did not answer, or the connection was lost. Check what was done before you try again.',
  'read only': 'The database accepts no changes: it is a standby, or read-only. Nothing was done.',
  busy: 'The database was busy with other work for too long. Nothing was done; try again.',
  conflict: 'Another process changed the same data at the same time. Nothing was done; try again.',
}

const NO_ROOM = 'The disk of the database is full. Free disk space (deploy/drills.md describes how), then try again.'

const NOT_ALLOWED = 'The user of DATABASE_URL must own the database: alter database NAME owner to USER.'

const statementFault = (what: string | undefined) =>
  what &&
  `PostgreSQL refused a statement of this program (${what}). This is a bug in usp-server: please report it. Check what ` +
    'was done before you try again.'

// Stops if Node is too old. Otherwise, the server would start and then fail at the first page that shows a duration.
if (Number.parseInt(process.versions.node, 10) < Number.parseInt(manifest.engines.node.replace('>=', ''), 10)) {
  console.error(
    `This needs Node ${manifest.engines.node.replace('>=', '')} or newer, but runs on ${process.versions.node}.`,
  )
  process.exit(1)
}
// Node stores the compiled code of this program and reads it at the next start, which then takes less time. The code stays
// in memory. From the TypeScript sources, it has 35 MB. A server runs for months, so from the sources it does not use it.
if (process.env.HOME && (process.argv[2] !== 'serve' || process.argv[1]?.endsWith('.js')))
  (await import('node:module')).enableCompileCache(`${process.env.HOME}/.cache/usp-server`)
try {
  const [name = 'help', ...args] = process.argv.slice(2)
  const command = commands[name]
  if (isHelp(name)) console.log(usage)
  else if (isVersion(name)) console.log(manifest.version)
  else if (!command) throw new PlainError(`There is no command ${name}.\n\n${usage}`)
  else if (args.some(isHelp)) console.log(`${USP} ${name} ${command.does}`)
  else await (await command.load()).run(args)
} catch (error) {
  const { failureOf, isDiskFull, isPrivilegeMissing, statementError } = await import('./infra/db/database-failures.ts')
  const failure = failureOf(error)
  const inWords = isDiskFull(error) ? NO_ROOM : failure && lost[failure]
  if (error instanceof PlainError) console.error(error.message)
  else if (isPrivilegeMissing(error)) console.error(`PostgreSQL refuses: ${error.message}. ${NOT_ALLOWED}`)
  else console.error(inWords ?? statementFault(statementError(error)) ?? error)
  process.exitCode = 1
}
