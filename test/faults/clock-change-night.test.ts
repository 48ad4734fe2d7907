import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { daily, on } from '../availability/week.ts'
import { toldShop } from '../events/told-shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'

const HOUR = 3_600_000
const definition = businessWith(
  [
    service('svc_cut', {
      duration: { fixed: 'PT30M' },
      resources: [{ type: 'staff', options: ['staff_ann'] }],
    }),
  ],
  {
    hours: daily('00:00', '05:00'),
    resources: [{ id: 'staff_ann', type: 'staff', name: 'Ann' }],
    reminder: 'PT2H',
    mails: { platform_buyers: 'all' },
  },
)

test.each([
  ['an hour is repeated', '2027-11-07', '2027-11-05T12:00:00Z', { from: '2027-11-07T04:00:00Z', halfHours: 12 }],
  ['an hour is skipped', '2027-03-14', '2027-03-12T12:00:00Z', { from: '2027-03-14T05:00:00Z', halfHours: 8 }],
])(
  '[a night in which %s] each half hour is sold once, and each buyer is reminded once, two hours before',
  async (_, date, before, { from, halfHours }) => {
    const shop = await toldShop(definition)
    const desk = restDesk(shop)
    const { db } = shop.runtime
    shop.time.now = new Date(before)
    await shop.apply({ ...definition, availability: { max_days: 14 } })
    const slots = await desk.slots('svc_cut', on(date))
    const starts = Array.from({ length: halfHours }, (_, index) => Date.parse(from) + (index * HOUR) / 2)
    expect(slots.map(({ start }) => Date.parse(start))).toEqual(starts)
    const booked: { id: string }[] = []
    for (const slot of slots) booked.push((await desk.book(slot)).data.booking)
    expect(await desk.slots('svc_cut', on(date))).toEqual([])

    /** When each booking was reminded of, in minutes before it begins. */
    const reminded: number[] = []
    const ends = (starts.at(-1) ?? 0) + HOUR
    for (let now = (starts[0] ?? 0) - 3 * HOUR; now <= ends; now += HOUR / 4) {
      shop.time.now = new Date(now)
      await remind(shop.runtime, shop.time.now)
      for (const { event, booking_id } of await shop.told()) {
        const nth = booked.findIndex(({ id }) => id === booking_id)
        if (event === 'booking.reminder') reminded.push(((starts[nth] ?? 0) - now) / 60_000)
      }
    }
    await runHousekeeping(shop.runtime)
    expect(reminded).toEqual(Array(halfHours).fill(120))
    const mails = await db.selectFrom('mails').select('subject').where('kind', '=', 'booking.reminder').execute()
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual(booked.map(({ id }) => `booking ${id}`).toSorted())
    const rows = await db.selectFrom('bookings').select('status').execute()
    expect(rows.map(({ status }) => status)).toEqual(Array(halfHours).fill('confirmed'))
    expect((await verify(db, shop.time.now)).findings.listed).toEqual([])
  },
)
