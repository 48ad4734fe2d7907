import { sendDueMails } from '../../src/core/mails/mail-worker.ts'
import type { BusinessDefinition, OpeningWindow, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, restDesk, type Said } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { type OpenShop, openShop } from './open-shop.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const hours: OpeningWindow[] = [{ days: [...EVERY_DAY], opens: '08:00', closes: '20:00' }]
const TODAY = START.toISOString().slice(0, 10)
const today = { start_date: TODAY, end_date: TODAY }

const withStaff = (name: string, ...options: string[]): Partial<ServiceDefinition> => ({
  name,
  duration: { fixed: 'PT30M' },
  resources: [{ type: 'staff', selectable: true, options }],
})
const { policies } = service('svc')
const aClass = (name: string, starts: string): Partial<ServiceDefinition> => ({
  type: 'group',
  name,
  capacity: { min: 1, max: 3, waitlist: true },
  sessions: [{ days: [...EVERY_DAY], starts, resources: ['room'] }],
})

/** A salon with a full day today, and everything in it that the staff have to do with. */
const salon: BusinessDefinition = businessWith(
  [
    service('svc_cut', {
      ...withStaff('Haircut', 'staff_ann', 'staff_ben'),
      policies: { ...policies, no_show: { fee: 2000, grace_period: 'PT15M' } },
    }),
    service('svc_facial', {
      ...withStaff('Facial', 'staff_dora', 'staff_eve'),
      locations: ['loc_down', 'loc_up'],
    }),
    service('svc_wash', withStaff('Wash', 'staff_flo')),
    service('svc_massage', withStaff('Massage', 'staff_gus')),
    service('svc_advice', { name: 'Advice', policies: { ...policies, confirmation_mode: 'manual' } }),
    service('svc_dinner', {
      type: 'reservation',
      name: 'Dinner',
      capacity: { min: 2, max: 4 },
      resources: [{ type: 'other', options: ['table'] }],
    }),
    service('svc_yoga', aClass('Yoga', '16:00')),
    service('svc_pilates', aClass('Pilates', '18:00')),
  ],
  {
    hours,
    locations: [
      { id: 'loc_down', name: 'Downtown' },
      { id: 'loc_up', name: 'Uptown' },
    ],
    resources: [
      ...['Ann', 'Ben', 'Dora', 'Eve', 'Flo', 'Gus'].map((name) => ({
        id: `staff_${name.toLowerCase()}`,
        type: 'staff' as const,
        name,
      })),
      { id: 'room', type: 'room', name: 'Hall' },
      { id: 'table', type: 'table', name: 'Large table', seats: 4 },
    ],
  },
)

/** With whom something is booked, unless it is said. */
const usual = new Map([
  ['svc_cut', 'staff_ann'],
  ['svc_facial', 'staff_eve'],
])

/** The same, open to browsers, with what can be booked in it and read of it. */
export async function daySalon() {
  const shop = await openShop(salon)
  const guests = guestsOf(shop, restDesk(shop))
  await guests.wait('Juna', 'Kaya', 'Lena')
  return { shop, ...guests }
}

function guestsOf(shop: OpenShop, platform: Desk) {
  const { db } = shop.runtime
  const ids = new Map<string, string>()
  let guests = 10
  const buyerNamed = (first_name: string) => ({
    first_name,
    last_name: 'Klein',
    email: `${first_name.toLowerCase()}@example.com`,
    phone_number: `+121255501${guests++}`,
  })
  const keep = (name: string, { data }: Said) => {
    if (!data.booking) throw new Error(`${name} has no booking: ${JSON.stringify(data)}`)
    ids.set(name, data.booking.id)
  }
  const idOf = (name: string) => ids.get(name) ?? ''
  return {
    /** Books the first time of today. */
    async comes(name: string, of = 'svc_cut', resource_id = usual.get(of)) {
      const [slot] = await platform.slots(of, { ...today, ...(resource_id !== undefined && { resource_id }) })
      const party = of === 'svc_dinner' && { party_size: 2 }
      keep(name, await platform.book(slot, { buyer: buyerNamed(name), ...party }))
    },
    /** Wait for a class that is full. */
    async wait(...names: string[]) {
      const [slot] = await platform.slots('svc_yoga')
      keep('Full', await platform.book(slot, { buyer: buyerNamed('Full'), party_size: 3 }))
      const line = { service_id: 'svc_yoga', slot_id: slot.id }
      for (const name of names) await platform.call('usp_waitlist_join', { ...line, buyer: buyerNamed(name) })
    },
    /** Somebody else of the staff does something with a booking: by the end of the tool's name. */
    staff: (what: string, name: string, more: Record<string, unknown>) =>
      platform.call(
        `usp_business_${what}`,
        { booking_id: idOf(name), ...more },
        { as: shop.staff, idempotencyKey: `${what} ${name}` },
      ),
    mailed: () => sendDueMails(shop.runtime),
    rowOf: (name: string) =>
      db.selectFrom('bookings').selectAll().where('id', '=', idOf(name)).executeTakeFirstOrThrow(),
  }
}
