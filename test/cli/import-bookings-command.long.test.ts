import { expect, test } from 'vitest'
import { commandLine } from '../definition/command.ts'
import { livedIn } from '../desk/lived-in.ts'

const { databaseUrl, shop } = await livedIn()
const command = commandLine(databaseUrl)
const count = async () => (await shop.runtime.db.selectFrom('imported_bookings').select('key').execute()).length

test('the first run only tells what would come of it, and the next with --yes does it', async () => {
  const table = 'id,start,service,name\n1,2026-10-05 10:00,svc_bike,Kim\n2,2026-10-05 10:00,Gone,Lou\n'
  const file = command.file('old.csv', table)
  const refused = /^! line 3 \(2026-10-05 10:00\): There is no service Gone\./m
  const rehearsal = await command.usp('import', file)
  expect(rehearsal.out).toMatch(refused)
  expect(rehearsal.out).toMatch(
    /^2 rows read = 1 would be imported \+ 0 already there \+ 1 refused\.\nThis was a dry run: nothing was imported\./m,
  )
  expect([rehearsal.code, await count()]).toEqual([1, 0])
  const done = await command.usp('import', file, '--yes')
  expect(done.out).toMatch(/^2 rows read = 1 imported \+ 0 already there \+ 1 refused\.\n$/m)
  expect([done.code, await count()]).toEqual([1, 1])
})

test('what cannot be meant is refused before anything is opened', async () => {
  for (const args of [[], ['old.csv', '--yes', '--dry-run'], ['old.csv', '--please']]) {
    const { code, out, err } = await command.usp('import', ...args)
    expect({ code, out, err: err.split('\n')[0] }).toEqual({
      code: 1,
      out: '',
      err: 'Usage: usp import FILE [--yes] [--tell] [--map FILE] [--service NAME] [--source NAME] [--zone ZONE]',
    })
  }
  const { err } = await command.usp(
    'import',
    command.file('old.csv', ''),
    '--map',
    command.file('map.json', '{"services": {}}'),
  )
  expect(err).toMatch(/map\.json must look like \{"service": /)
})
