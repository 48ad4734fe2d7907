import { expect, test } from 'vitest'
import { businessWith, service } from '../../support/definitions.ts'
import { deskSalon } from './receptionist.ts'

const { shop, signedIn, platform } = await deskSalon(
  {},
  businessWith(
    [
      service('svc_cut', {
        duration_rules: [{ resources: ['staff_bob'], fixed: 'PT90M' }],
        resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_bob'] }],
      }),
    ],
    {
      hours: [{ days: ['tuesday', 'wednesday'], opens: '09:00', closes: '12:00' }],
      resources: [
        { id: 'staff_ann', type: 'staff', name: 'Ann' },
        { id: 'staff_bob', type: 'staff', name: 'Bob' },
      ],
    },
  ),
)
const owner = await signedIn('owner')
const rowOf = (id: string) =>
  shop.runtime.db.selectFrom('bookings').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const minutesOf = async (id: string) => {
  const { starts_at, ends_at } = await rowOf(id)
  return (ends_at.getTime() - starts_at.getTime()) / 60_000
}

test('[how long with whom] free times at the desk say how long they are, and the booking is that long', async () => {
  const { body } = await owner.open('/desk/book?service=svc_cut&date=2026-11-24')
  const texts = [...body.matchAll(/<span class="sr">9:00[^<]*<\/span>([^<]*)</g)].map(([, text]) => text)
  expect(texts.slice(0, 2)).toEqual(['Ann · 1 hr', 'Bob · 1 hr 30 min'])
})

test('[how long with whom] what is moved to somebody else takes as long as with them, and the way back leads to what was', async () => {
  const slots = await platform.slots('svc_cut')
  const slot = slots.find(({ resources }) => resources[0].id === 'staff_ann')
  const { booking } = (await platform.book(slot)).data
  const page = `/desk/bookings/${booking.id}/move`
  const { body } = await owner.open(`${page}?date=2026-11-25`)
  expect(body).toContain('Ann')
  expect(body).toContain('Bob')
  expect(await minutesOf(booking.id)).toBe(60)
  const { headers } = await owner.send(page, { start: '2026-11-25T09:20', with: 'staff_bob' })
  expect([await minutesOf(booking.id), (await rowOf(booking.id)).resource_ids]).toEqual([90, ['staff_bob']])
  const undo = new URL(headers.location ?? '', 'http://a').searchParams.get('undo') ?? ''
  await owner.send(page, { undo })
  expect([await minutesOf(booking.id), (await rowOf(booking.id)).resource_ids]).toEqual([60, ['staff_ann']])
})
