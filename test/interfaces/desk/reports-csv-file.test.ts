import { expect, test } from 'vitest'
import { at, tuesday, walkIn } from '../../desk/studio.ts'
import { businessWith, service } from '../../support/definitions.ts'
import { CLASS, lineOf } from '../../waitlist/queue.ts'
import { deskSalon } from './receptionist.ts'

const definition = businessWith(
  [
    service('svc_cut', { resources: [{ type: 'staff', options: ['staff_ann'] }] }),
    service(CLASS, {
      type: 'group',
      capacity: { max: 1, waitlist: true },
      sessions: [{ days: ['wednesday'], starts: '10:00' }],
    }),
  ],
  {
    hours: [{ days: ['tuesday', 'wednesday'], opens: '09:00', closes: '12:00' }],
    resources: [{ id: 'staff_ann', type: 'staff', name: 'Ann, the first' }],
  },
)
const { shop, platform, signedIn } = await deskSalon({}, definition)
const { db } = shop.runtime

/** On Tuesday 3 bookings, of which 1 is a no-show, and 2 canceled; on Wednesday 1 and 4 canceled. */
async function bookings() {
  const staff = (what: string, input: object) =>
    platform.call(`usp_business_bookings_${what}`, { ...input }, { as: shop.staff })
  const booked = async (start: string) => {
    const [slot] = (await platform.slots('svc_cut')).filter((one) => one.start === start)
    return (await platform.book(slot)).data.booking.id as string
  }
  for (const _ of [1, 2]) await platform.cancel(await booked(tuesday('09:00')))
  const missed = await booked(tuesday('09:00'))
  await booked(tuesday('10:00'))
  const walksIn = { service_id: 'svc_cut', start: tuesday('11:00'), buyer: walkIn, override: ['booking_window'] }
  await at(shop, tuesday('10:45'), async () => {
    await staff('create', walksIn)
    await staff('no_show', { booking_id: missed })
  })
  const wednesday = '2026-11-25T10:00:00-05:00'
  for (const _ of [1, 2]) await platform.cancel(await booked(wednesday))
  await at(shop, '2026-11-24T02:00:00Z', () => booked(wednesday))
}

/** 4 join, 2 are offered a place, 1 books it, 3 are in line. */
async function waitlist() {
  const line = lineOf(platform)
  const [booking] = await line.fill()
  const [first] = [await line.wait('One'), await line.wait('Two'), await line.wait('Three'), await line.wait('Four')]
  await platform.cancel(booking.id)
  await platform.cancel((await line.accept(first.id)).data.booking.id)
}

async function money() {
  const paid = { purpose: 'price', source: 'staff', reported_by: 'staff:one' }
  const { id: booking_id } = await db.selectFrom('bookings').select('id').executeTakeFirstOrThrow()
  const payments = [
    { id: 'pay_1', amount: 12345, currency: 'USD', received_at: new Date('2026-11-24T20:00:00Z') },
    { id: 'pay_2', amount: 700, currency: 'JPY', received_at: new Date('2026-11-25T20:00:00Z') },
  ].map((one) => ({ ...paid, ...one, booking_id }))
  await db.insertInto('payments').values(payments).execute()
  const refund = { id: 'ref_1', payment_id: 'pay_1', amount: 505, reason: 'refunded', status: 'elsewhere' }
  const created_at = new Date('2026-11-25T15:00:00Z')
  await db
    .insertInto('refunds')
    .values({ ...refund, created_at, next_at: created_at })
    .execute()
}

await bookings()
await at(shop, '2026-11-24T06:00:00Z', waitlist)
await money()

test('the file for a spreadsheet has every number of the reports, each where it belongs', async () => {
  const owner = await signedIn('owner')
  const { body } = await owner.open('/desk/reports.csv?from=2026-11-24&to=2026-11-25')
  const host = new URL(shop.platform.profile ?? '').host
  expect(String(body).replaceAll(host, 'HOST').split('\r\n')).toEqual([
    '"Reports","Day","Number","Currency"',
    '"Bookings","2026-11-24",3,""',
    '"No-shows","2026-11-24",1,""',
    '"Cancellations","2026-11-24",2,""',
    '"Bookings","2026-11-25",1,""',
    '"No-shows","2026-11-25",0,""',
    '"Cancellations","2026-11-25",4,""',
    '"Takings","2026-11-25",700,"JPY"',
    '"Refunded","2026-11-25",0,"JPY"',
    '"Takings","2026-11-24",123.45,"USD"',
    '"Refunded","2026-11-24",0.00,"USD"',
    '"Takings","2026-11-25",0.00,"USD"',
    '"Refunded","2026-11-25",5.05,"USD"',
    '"How far ahead customers book","Less than one day",1,""',
    '"How far ahead customers book","1 to 3 days",1,""',
    '"How far ahead customers book","3 to 7 days",2,""',
    '"How far ahead customers book","7 to 14 days",0,""',
    '"How far ahead customers book","14 to 30 days",0,""',
    '"How far ahead customers book","30 days or more",0,""',
    '"Booking sources","HOST",3,""',
    '"Booking sources","Team",1,""',
    // Of two mornings, each with this hour.
    '"Working hours booked","Ann, the first, 9:00",50,"%"',
    '"Working hours booked","Ann, the first, 10:00",100,"%"',
    '"Working hours booked","Ann, the first, 11:00",50,"%"',
    '"Waitlist","Joined",4,""',
    '"Waitlist","Offered a time",2,""',
    '"Waitlist","Booked",1,""',
    '"Waitlist","Still waiting",3,""',
    '',
  ])
})
