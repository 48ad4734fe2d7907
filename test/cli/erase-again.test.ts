import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { eraseAgain, readErasures } from '../../src/cli/erase-people-after-restore.ts'
import { studio } from '../desk/studio.ts'
import { restDesk, testShop } from '../support/desk.ts'

const folder = mkdtempSync(join(tmpdir(), 'usp-erase-again-'))
afterAll(() => rmSync(folder, { recursive: true }))

function listOf(...lines: string[]): string {
  const file = join(folder, 'list')
  writeFileSync(file, lines.join('\n'))
  return file
}

test('[a list of the erased] has addresses, numbers and bookings, one in a line, and comments', () => {
  const file = listOf('# since Monday', 'ann@example.com # asked for it', '', ' +1 (212) 555-0100 ', 'bkg_x', '')
  expect(readErasures(file)).toEqual(['ann@example.com', '+1 (212) 555-0100', 'bkg_x'])
  expect(readErasures(listOf(''))).toEqual([])
})

test.each(['Ann', 'ann@', 'res_x', 'ann@example.com bob@example.com', '---'])(
  '[a list of the erased] with a line %j is refused by the number of that line',
  (line) => {
    const file = listOf('ann@example.com', '# Bob', line)
    expect(() => readErasures(file)).toThrow(`Line 3 of ${file} is not a mail address, telephone number or booking id.`)
  },
)

test('[a list of the erased] that is not there stops the restore', () => {
  expect(() => readErasures(join(folder, 'none'))).toThrow('none cannot be read. Nothing was restored.')
})

test('[a list of the erased] erases the bookings of an address, of a number and by their ids, and leaves all others', async () => {
  const shop = await testShop(studio)
  const desk = restDesk(shop)
  const named = (first_name: string, more: object) => ({ buyer: { first_name, ...more } })
  const booked = async (person: object) => {
    const [slot] = await desk.slots('svc_cut')
    const wish = { service_id: 'svc_cut', slot_id: slot.id, ...person }
    return (await desk.call('usp_business_bookings_create', wish, { as: shop.staff })).data.booking.id
  }
  const [ann, again] = [
    await booked(named('Ann', { email: 'ann@example.com' })),
    await booked(named('Ann', { email: 'Ann@Example.com' })),
  ]
  const bob = await booked(named('Bob', { phone_number: '+12125550100' }))
  const cho = await booked(named('Cho', { email: 'cho@example.com' }))
  const dan = await booked(named('Dan', { email: 'dan@example.com', phone_number: '+12125550101' }))
  const wanted = ['ann@example.com', '+1 (212) 555-0100', cho, 'bkg_none', 'nobody@example.com']
  // Staff merged two numbers of Bob. The note about him must not stay with the other number.
  const other = await booked(named('Bob', { phone_number: '+12125550102' }))
  const staff = (tool: string, input: object) =>
    desk.call(`usp_business_customers_${tool}`, { ...input }, { as: shop.staff })
  await staff('merge', { customer_id: bob, other_id: other })
  await staff('note', { customer_id: bob, note: 'Bobnote' })
  const { db } = shop.runtime
  expect(await eraseAgain(db, wanted, shop.time.now)).toBe(4)
  const rows = await db.selectFrom('bookings').select(['id', 'people']).execute()
  const known = rows.filter(({ people }) => /Ann|Bob|Cho|Dan/.test(JSON.stringify(people))).map(({ id }) => id)
  expect([known, rows.length]).toEqual([expect.arrayContaining([dan, other]), 6])
  expect(await db.selectFrom('customers').select('note').execute()).toEqual([])
  const erased = await db.selectFrom('changes').select(['subject', 'actor']).where('action', '=', 'erase').execute()
  expect(new Set(erased.map(({ subject, actor }) => `${subject} by ${actor}`))).toEqual(
    new Set([ann, again, bob, cho].map((id) => `booking ${id} by operator`)),
  )
})
