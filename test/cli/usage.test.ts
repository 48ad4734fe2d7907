import { afterAll, expect, test, vi } from 'vitest'

// Nothing answers there, so that a command that went on would fail in another way.
vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none')
afterAll(() => void vi.unstubAllEnvs())

/** What cannot be meant, by the name of the command. */
const wrong: Record<string, [load: () => Promise<{ run(args: string[]): Promise<void> }>, ...args: string[]]> = {
  backup: [() => import('../../src/cli/backup-command.ts'), '', '--check', 'one two', 'one --now'],
  calendars: [
    () => import('../../src/cli/calendar-feeds-command.ts'),
    ...['', 'remove', 'remove cal_x', 'add cal_x', 'list cal_x', 'revoke', 'revoke cal_x cal_y', 'add --name x'],
  ],
  clients: [
    () => import('../../src/cli/clients-command.ts'),
    ...['', 'remove', 'remove x', 'add', 'redirect', 'rotate', 'revoke', 'list --all'],
  ],
  events: [
    () => import('../../src/cli/events-command.ts'),
    ...[
      '',
      'list evt_x',
      'show',
      'show evt_x evt_y',
      'replay',
      'replay evt_x --since 2026-11-20',
      'replay --since soon',
    ],
    ...['drop evt_x', 'list --status lost', 'list --all'],
  ],
  export: [
    () => import('../../src/cli/export-person-command.ts'),
    '',
    '--buyer',
    '--buyer=nobody',
    '--buyer=bkg_x',
    'a@b.example',
  ],
  import: [
    () => import('../../src/cli/import-bookings-command.ts'),
    ...['', 'one.csv two.csv', 'one.csv --yes --dry-run', 'one.csv --please'],
  ],
  jobs: [() => import('../../src/cli/background-jobs-command.ts'), '', 'stop', 'run', 'list remind'],
  keys: [() => import('../../src/cli/signing-keys-command.ts'), '', 'drop', 'compromise'],
  listings: [
    () => import('../../src/cli/directory-listings-command.ts'),
    '',
    'drop',
    'remove',
    'remove x y',
    'list x y',
  ],
  mails: [
    () => import('../../src/cli/mails-command.ts'),
    ...['', 'list 1', 'show', 'replay', 'show 1 2', 'drop 1', 'list --status lost', 'list --all'],
  ],
  migrate: [() => import('../../src/cli/migrate-database-command.ts'), '--dry-run', 'now'],
  restore: [() => import('../../src/cli/restore-backup-command.ts'), '', '--unchecked', 'one two', 'one --yes'],
  staff: [
    () => import('../../src/cli/staff-command.ts'),
    ...['', 'fire', 'fire Jo', 'add', 'link', 'revoke', 'add Jo --role king', 'list --all'],
  ],
  verify: [() => import('../../src/cli/verify-ledger-command.ts'), 'everything'],
}

test.each(Object.entries(wrong).flatMap(([name, [load, ...all]]) => all.map((args) => ({ name, args, load }))))(
  '[what cannot be meant] is refused before anything is opened, with what can be: usp $name $args',
  async ({ name, args, load }) => {
    const { run } = await load()
    await expect(run(args.split(' ').filter(Boolean))).rejects.toThrow(new RegExp(`^Usage: usp ${name}\\b`))
  },
)
