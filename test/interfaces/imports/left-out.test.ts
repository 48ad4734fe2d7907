import { expect, test } from 'vitest'
import { report } from '../../../src/interfaces/imports/import-report.ts'
import { importRows } from '../../../src/interfaces/imports/import-rows.ts'
import { nameFinder } from '../../../src/interfaces/imports/match-names-to-ids.ts'
import { rowsOf } from '../../../src/interfaces/imports/read-import-file.ts'
import { studio } from '../../desk/studio.ts'
import { testShop } from '../../support/desk.ts'

const shop = await testShop(studio)
const { db } = shop.runtime
const definition = (await shop.runtime.business.get()) ?? studio
const ZONE = 'America/New_York'

async function* whole(text: string) {
  yield text
}

async function imported(text: string, { isDryRun = false } = {}) {
  const names = nameFinder(definition, { with: { Gone: null } })
  const rows = rowsOf('.csv', whole(text), { zone: ZONE, now: new Date(), warn: () => {} })
  return importRows(rows, { source: 'csv', names, zone: ZONE, notifies: false, isDryRun }, shop.runtime)
}
const blocks = () => db.selectFrom('blocks').selectAll().orderBy('starts_at').execute()

test('[nothing is dropped in silence] time that somebody is not there is blocked, once, and what has it already is told', async () => {
  const table = [
    'id,start,end,service,with,status,name,notes',
    'b1,2027-03-01 10:00,2027-03-01 11:00,svc_cut,Ann,,Kim,',
    'u1,2027-03-01 08:00,2027-03-01 09:00,,Ann,blocked,,Dentist',
    'u2,2027-03-01 10:30,2027-03-01 12:00,,Ann,Blocked,,',
    'u3,2027-03-02 00:00,2027-03-05 00:00,,Ben,blocked,,Away',
    'u4,2027-03-03 10:00,2027-03-03 11:00,,Ben,blocked,,Within',
    'u5,2020-03-03 10:00,2020-03-03 11:00,,Ben,blocked,,Past',
    'u6,2027-03-03 10:00,,,Ben,blocked,,',
    'u7,2027-03-03 10:00,2027-03-03 11:00,,Gone,blocked,,',
    `u8,2027-03-06 10:00,2027-03-06 11:00,,Ben,blocked,,${'long '.repeat(120)}`,
  ].join('\n')
  const outcomes = ['imported', 'imported', 'refused', 'imported', 'already_there', 'left_out', 'refused', 'refused']
  const rehearsed = await imported(table, { isDryRun: true })
  expect(rehearsed.map(({ outcome }) => outcome)).toEqual([...outcomes, 'imported'])
  expect(rehearsed[2]?.reason).toBe('Part of this time is what has been read before, in line 2.')
  expect(await blocks()).toEqual([])
  const told = await imported(table)
  expect(told.map(({ outcome }) => outcome)).toEqual([...outcomes, 'imported'])
  expect(told[2]?.reason).toMatch(/^Part of this time is occupied by bkg_/)
  const said = report(told, { isDryRun: false })
  expect(said).toContain('- line 7: not imported: time that was blocked and is over\n')
  expect(said).toContain('- line 10: not imported: of a reason, what is beyond 500 characters\n')
  expect(said).toMatch(/\n9 rows read = 4 imported \+ 1 already there \+ 3 refused \+ 1 left out\.$/)
  const kept = await blocks()
  expect(kept).toMatchObject([
    { resource_id: 'staff_ann', starts_at: new Date('2027-03-01T13:00:00Z'), reason: 'Dentist' },
    { resource_id: 'staff_ben', ends_at: new Date('2027-03-05T05:00:00Z'), reason: 'Away' },
    { resource_id: 'staff_ben', starts_at: new Date('2027-03-06T15:00:00Z') },
  ])
  const again = (await imported(table)).map(({ outcome }) => outcome)
  expect(again).toEqual(outcomes.concat('imported').map((one) => (one === 'imported' ? 'already_there' : one)))
  expect(await blocks()).toEqual(kept)
})

test('[nothing is dropped in silence] what is noted of a customer is noted here, once however often they booked', async () => {
  const table = [
    'id,start,service,name,email,customer_notes,notes',
    'n1,2027-04-01 10:00,svc_cut,Kim,kim@example.com,Left-handed,',
    'n2,2027-04-02 10:00,svc_cut,Kim,kim@example.com,Left-handed,',
    'n3,2027-04-03 10:00,svc_cut,Kim,kim@example.com,Likes tea,',
    ',,,Never,never@example.com,Likes coffee,',
  ].join('\n')
  await imported(table, { isDryRun: true })
  expect(await db.selectFrom('customers').selectAll().execute()).toEqual([])
  const told = await imported(table)
  await imported(table)
  expect(told.map(({ outcome }) => outcome)).toEqual([...Array(3).fill('imported'), 'without_booking'])
  expect(await db.selectFrom('customers').select('note').execute()).toEqual([{ note: 'Left-handed\nLikes tea' }])
  const [tooLong] = await imported(
    `id,start,service,name,email,customer_notes\nn4,2027-04-04 10:00,svc_cut,Kim,kim@example.com,${'x'.repeat(4990)}`,
  )
  expect([tooLong?.outcome, tooLong?.reason]).toEqual([
    'refused',
    'Together with the existing note, this has more than 5000 characters.',
  ])
})

test('[nothing is dropped in silence] what a file says that it leaves out is in the report, the same once with its lines', async () => {
  const table = [
    'id,start,service,name,left_out',
    'l1,2027-05-01 10:00,svc_cut,Kim,guests: 2',
    'l2,2027-05-02 10:00,svc_cut,Kim,guests: 2',
    ',,,,working plans: 3',
    'l3,yesterday,svc_cut,Kim,guests: 2',
  ].join('\n')
  const said = report(await imported(table), { isDryRun: false })
  expect(said.split('\n').filter((line) => line.startsWith('-'))).toEqual([
    '- lines 2-3: not imported: guests: 2',
    '- line 4: not imported: working plans: 3',
  ])
  expect(said).toMatch(/4 rows read = 2 imported \+ 0 already there \+ 1 refused \+ 1 left out\.$/)
})

test('[nothing is dropped in silence] what a row says and nothing has a place for is in the report', async () => {
  const table = [
    'id,start,end,service,with,status,name,city,',
    'p1,2027-06-01 10:00,,svc_cut,,,Kim,Paris,',
    'p2,2027-06-02 10:00,,svc_cut,,,Kim,,stray',
    'p3,2027-06-03 10:00,2027-06-03 11:00,,Ann,blocked,Kim,Paris,',
  ].join('\n')
  const said = report(await imported(table), { isDryRun: false })
  expect(said.split('\n').slice(0, -2)).toEqual([
    '- line 2: not imported: of an address without line1, the rest',
    '- line 3: not imported: what stands in columns without a name',
    '- line 4: not imported: of time that is blocked, name, city',
  ])
  expect(said).toMatch(/3 rows read = 3 imported /)
})
