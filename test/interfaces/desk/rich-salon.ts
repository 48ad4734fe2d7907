import { sendDueMails } from '../../../src/core/mails/mail-worker.ts'
import { businessWith, service } from '../../support/definitions.ts'
import { unreturnedCharge } from '../../support/unreturned-charge.ts'
import { deskSalon } from './receptionist.ts'
import type { Form } from './walk.ts'

const { policies } = service('svc')
const definition = businessWith(
  [
    service('svc_cut', { resources: [{ type: 'staff', options: ['staff_ann', 'staff_ben'], selectable: true }] }),
    service('svc_asked', { policies: { ...policies, confirmation_mode: 'manual' } }),
    service('svc_yoga', {
      type: 'group',
      capacity: { min: 1, max: 2, waitlist: true },
      sessions: [{ days: ['tuesday', 'wednesday', 'thursday'], starts: '16:00' }],
    }),
  ],
  {
    resources: [
      // Nothing needs it, so it can be removed.
      { id: 'room_old', type: 'room', name: 'Old room' },
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben' },
    ],
  },
)

/** A salon in which there is something of everything to be done. */
export async function richSalon() {
  const salon = await deskSalon({}, definition)
  await fill(salon)
  return salon
}

async function fill({ shop, platform }: Awaited<ReturnType<typeof deskSalon>>) {
  const staff = (what: string, input: Record<string, unknown>) =>
    platform.call(`usp_business_${what}`, input, { as: shop.staff, idempotencyKey: JSON.stringify(input) })
  let guests = 0
  const person = () => ({
    first_name: `Guest ${++guests}`,
    last_name: 'Klein',
    email: `guest${guests}@example.com`,
    phone_number: `+1212555010${guests}`,
  })
  const booked = async (of: string, more: Record<string, unknown> = {}) =>
    (await platform.book((await platform.slots(of)).at(-1), { buyer: person(), ...more })).data.booking.id as string
  const lost = { start_date: '2026-12-24', end_date: '2026-12-24' }
  await platform.book((await platform.slots('svc_cut', lost))[0], { buyer: person() })
  await shop.apply({ ...definition, closures: [{ from: lost.start_date, to: lost.end_date }] })
  const [plain, begun] = [await booked('svc_cut'), await booked('svc_cut')]
  await staff('bookings_mark_paid', { booking_id: plain, amount: 1000, kind: 'cash' })
  await staff('bookings_start', { booking_id: begun })
  // Their time has come, and nobody has come. One may be moved, and the other still has the button for that.
  for (const _ of ['Ann', 'Ben']) {
    const missed = { service_id: 'svc_cut', start: '2026-11-20T06:45:00-05:00', buyer: person() }
    await staff('bookings_create', { ...missed, override: ['hours', 'booking_window'] })
  }
  const { dates } = (await staff('bookings_series_plan', { booking_id: plain, every_weeks: 1, times: 1 })).data
  await staff('bookings_series_book', { booking_id: plain, starts: dates.map(({ start }: { start: string }) => start) })
  for (const _ of ['to confirm', 'to decline']) await booked('svc_asked')
  await staff('customers_merge', { customer_id: plain, other_id: begun })
  const [full] = await platform.slots('svc_yoga')
  for (const _ of [1, 2]) await platform.book(full, { buyer: person() })
  for (const _ of [1, 2])
    await platform.call('usp_waitlist_join', { service_id: 'svc_yoga', slot_id: full.id, buyer: person() })
  const free = { resource_id: 'staff_ben', start: '2026-11-25T10:00:00-05:00', end: '2026-11-25T11:00:00-05:00' }
  await staff('blocks_create', free)
  await staff('connected_calendars_connect', { resource_id: 'staff_ann', address: 'https://127.0.0.1:9/private.ics' })
  await unreturnedCharge(shop.runtime.db, shop.time.now)
  await sendDueMails(shop.runtime)
}

/** The route of an address, of these. */
export function routeIn(routes: object, url: string): string {
  const { pathname } = new URL(url, 'http://desk')
  const isOf = (route: string) => new RegExp(`^${route.replace(/:\w+/g, '[^/]+')}$`).test(pathname)
  const all = Object.keys(routes)
  return all.find((one) => one === pathname) ?? all.find(isOf) ?? pathname
}

/** What a button does, whatever it does that with. */
export function deedIn(routes: object, { action, fields, button }: Form): string {
  const said = button?.[0] === 'do' ? button[1] : (fields.find(([name]) => name === 'do')?.[1] ?? button?.[0] ?? '')
  return `${routeIn(routes, action)} ${said.replace(/^.*:.*$/, 'row')}`.trim()
}
