import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeDemoData } from '../../src/cli/demo/make-demo-data.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { logBegin } from '../../src/domain/desk/demo/demo-data-audit-log.ts'
import { removeDemoData } from '../../src/domain/desk/demo/remove-demo-data.ts'
import { roles } from '../../src/protocol/caller-types.ts'
import { deskSalon } from '../interfaces/desk/receptionist.ts'
import { buyer } from '../support/desk.ts'
import { definition } from './demo-salon.ts'

const salon = await deskSalon({}, definition)
const { shop, platform, signedIn } = salon
const { runtime } = shop
const NOTE = 'These bookings are invented.'

const bookingIds = async () =>
  (await sql<{ id: string }>`select id from bookings order by id`.execute(runtime.db)).rows.map(({ id }) => id)

let own: string[]
beforeAll(async () => {
  const slots = await platform.slots('svc_haircut')
  own = [
    (await platform.book(slots[0])).data.booking.id,
    (await platform.book(slots.at(-1), { buyer })).data.booking.id,
  ]
})

describe('[demo data]', () => {
  test('another business has no note, cannot get demo data, and has nothing to remove', async () => {
    const owner = await signedIn('owner')
    expect((await owner.open('/desk')).body).not.toContain(NOTE)
    await makeDemoData(runtime)
    expect((await owner.send('/desk/demo')).status).toBe(404)
    await removeDemoData(runtime, 'staff:owner')
    expect(await bookingIds()).toEqual(own.toSorted())
  })

  test('the day view says that bookings are invented, and only the owner gets the button', async () => {
    await runtime.makeChange(async (tx) => logBegin(tx, shop.time.now))
    let steps = 0
    await makeDemoData(runtime, { shouldStop: () => ++steps > 250 })
    expect((await bookingIds()).length).toBeGreaterThan(50)
    for (const role of roles) {
      const { body } = await (await signedIn(role)).open('/desk')
      expect(body).toContain(NOTE)
      expect([role, body.includes('action="/desk/demo"')]).toEqual([role, role === 'owner'])
    }
  })

  test('nobody but the owner can remove the invented bookings', async () => {
    const before = await bookingIds()
    for (const role of roles.filter((one) => one !== 'owner')) {
      const { status, body } = await (await signedIn(role)).send('/desk/demo')
      expect([role, status]).toEqual([role, 403])
      expect(body).toContain('owner')
    }
    expect((await salon.person().send('/desk/demo')).body).not.toContain(NOTE)
    expect(await bookingIds()).toEqual(before)
  })

  test('one press removes the invented bookings, and leaves the bookings of the owner', async () => {
    const owner = await signedIn('owner')
    const { status, headers } = await owner.send('/desk/demo')
    expect([status, headers.location]).toEqual([303, '/desk'])
    expect(await bookingIds()).toEqual(own.toSorted())
    expect((await verify(runtime.db, shop.time.now)).findings.listed).toEqual([])
    expect((await owner.open('/desk')).body).not.toContain(NOTE)
    expect((await owner.send('/desk/demo')).status).toBe(404)
  })

  test('a simulation that runs ends when the owner removes it', async () => {
    const other = await deskSalon({}, definition)
    const { runtime, time } = other.shop
    await runtime.makeChange(async (tx) => logBegin(tx, time.now))
    let steps = 0
    const running = makeDemoData(runtime, { shouldStop: () => ++steps > 400 })
    await expect.poll(() => steps).toBeGreaterThan(20)
    await removeDemoData(runtime, 'staff:owner')
    await running
    expect(steps).toBeLessThan(400)
    expect((await sql`select from bookings`.execute(runtime.db)).rows).toEqual([])
  })

  test('a later start does not bring them back', async () => {
    await makeDemoData(runtime)
    expect(await bookingIds()).toEqual(own.toSorted())
  })
})
