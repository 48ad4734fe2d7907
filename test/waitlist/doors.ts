import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { cleanUpLedger } from '../../src/core/ledger/delete-expired-claims.ts'
import type { BusinessDefinition, ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { browser, continueUrl, linkIn } from '../pages/shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import type { Desk, Shop } from '../support/desk.ts'
import type { StripeStandIn } from '../support/stripe.ts'

const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const { policies } = service('any')
const paid = { payment_window: 'PT15M', policies: { ...policies, payment_timing: 'at_booking' as const } }
const group = { type: 'group' as const, capacity: { max: 1, waitlist: true } }
const chair = { capacity: { max: 1, waitlist: true }, resources: [{ type: 'staff' as const, options: ['ann'] }] }

export const services: ServiceDefinition[] = [
  service('svc_class', { ...group, sessions: [{ days: [...EVERY_DAY], starts: '10:00' }] }),
  service('svc_paid_class', { ...group, ...paid, sessions: [{ days: [...EVERY_DAY], starts: '10:00' }] }),
  service('svc_chair', chair),
  service('svc_paid_chair', { ...chair, ...paid }),
  service('svc_asked', { ...chair, policies: { ...policies, confirmation_mode: 'manual' } }),
  service('svc_picked', {
    ...chair,
    resources: [{ type: 'staff', selectable: true, options: ['ann'] }],
  }),
  // Nobody queues for it, and it takes up the same person.
  service('svc_other', { resources: [{ type: 'staff', selectable: true, options: ['ann'] }] }),
]

const lesson = service('svc_lesson', {
  type: 'group',
  capacity: { max: 3 },
  sessions: [{ days: [...EVERY_DAY], starts: '10:00', resources: ['ann'] }],
})

export const salon: BusinessDefinition = businessWith(services, {
  hours: [{ days: [...EVERY_DAY], opens: '10:00', closes: '11:00' }],
  resources: ['ann', 'ben'].map((id) => ({ id, type: 'staff' as const, name: id })),
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Told = any

export interface Tools {
  desk: Desk
  shop: Shop
  stripe: StripeStandIn
  staff(what: string, input: object): Promise<Told>
  /** On all servers. */
  minutesLater(minutes: number): void
}

/** A way in which time comes free: what has it at first, and how that ends. */
export interface Door {
  what: string
  services: string[]
  take(tools: Tools, slot: Told): Promise<Told>
  free(tools: Tools, taken: Told, slot: Told): Promise<unknown>
  /** Where the slot is not there at first, whoever waits does so for its day. */
  forDay?: true
  /** What the business newly has is shown as free until somebody has looked who waits, and taken by nobody before. */
  shownAtOnce?: true
}

const all = ['svc_class', 'svc_chair', 'svc_picked']
const book = async ({ desk }: Tools, slot: Told) => (await desk.book(slot)).data.booking
const hold = async ({ desk }: Tools, slot: Told) => (await desk.hold(slot)).data.hold
const later = (minutes: number) => async (tools: Tools) => tools.minutesLater(minutes)

/** A slot that nobody waits for. */
const elsewhere = async ({ desk }: Tools, { service_id }: Told) =>
  (await desk.slots(service_id, { start_date: '2027-01-04', end_date: '2027-01-14' })).find(
    ({ state }) => state === 'available',
  )

/** Somebody before them, who is offered the slot. */
async function offered(tools: Tools, slot: Told) {
  const { id } = await book(tools, slot)
  const buyer = { first_name: 'Zoe', last_name: 'Zero', email: `${id}@example.com` }
  const input = { service_id: slot.service_id, slot_id: slot.id, buyer }
  const { entry } = (await tools.desk.call('usp_waitlist_join', input)).data
  await tools.desk.cancel(id)
  return entry
}

const onPage = async ({ shop }: Tools, { booking_url }: Told) => {
  const page = browser(shop)
  const url = linkIn((await page.open(booking_url)).body, 'cancel') ?? ''
  const { body } = await page.open(url)
  return page.send(url, { terms: /name="terms" value="([^"]*)"/.exec(body)?.[1] ?? '' })
}

/** Applied, and known to every server: each asks after a second. */
async function inForce({ shop }: Tools, definition: BusinessDefinition) {
  await shop.apply(definition)
  await setTimeout(1_100)
}

const dayOf = ({ start }: Told) => start.slice(0, 10)
const without = (slot: Told): BusinessDefinition => ({
  ...salon,
  closures: [{ from: dayOf(slot), to: dayOf(slot), reason: 'New floors' }],
})

export const doors: Door[] = [
  { what: 'the platform cancels', services: all, take: book, free: ({ desk }, { id }) => desk.cancel(id) },
  { what: 'the buyer cancels on the page', services: all, take: book, free: onPage },
  {
    what: 'the staff cancel',
    services: all,
    take: book,
    free: ({ staff }, { id }) => staff('bookings_cancel', { booking_id: id }),
  },
  {
    what: 'the staff decline',
    services: ['svc_asked'],
    take: book,
    free: ({ staff }, { id }) => staff('bookings_decline', { booking_id: id }),
  },
  { what: 'nobody confirms in time', services: ['svc_asked'], take: book, free: later(24 * 60 + 1) },
  {
    what: 'the buyer moves elsewhere',
    services: all,
    take: book,
    free: async (tools, { id }, slot) => tools.desk.reschedule(id, await elsewhere(tools, slot)),
  },
  {
    what: 'the staff move it elsewhere',
    services: all,
    take: book,
    async free(tools, { id: booking_id }, slot) {
      const { id: slot_id } = await elsewhere(tools, slot)
      return tools.staff('bookings_reschedule', { booking_id, slot_id })
    },
  },
  {
    what: 'a service is done early',
    services: ['svc_chair', 'svc_picked'],
    take: book,
    async free({ staff }, { id: booking_id }) {
      await staff('bookings_start', { booking_id })
      return staff('bookings_complete', { booking_id })
    },
  },
  { what: 'nobody pays in time', services: ['svc_paid_class', 'svc_paid_chair'], take: book, free: later(16) },
  {
    what: 'a payment is reported too late',
    services: ['svc_paid_class', 'svc_paid_chair'],
    take: book,
    async free(tools, booking) {
      tools.minutesLater(16)
      return tools.desk.pay(booking)
    },
  },
  {
    what: 'the staff mark it as paid too late',
    services: ['svc_paid_class', 'svc_paid_chair'],
    take: book,
    free({ minutesLater, staff }, { id: booking_id }) {
      minutesLater(16)
      return staff('bookings_mark_paid', { booking_id })
    },
  },
  {
    what: 'money comes in too late',
    services: ['svc_paid_class', 'svc_paid_chair'],
    async take(tools, slot) {
      const booking = await book(tools, slot)
      const { headers } = await browser(tools.shop).send(continueUrl(booking, 'payment'))
      return tools.stripe.sessions.find(({ url }) => url !== null && url === headers.location)
    },
    async free({ minutesLater, stripe, shop }, session) {
      minutesLater(16)
      return stripe.notify(shop, 'checkout.session.completed', stripe.pay(session))
    },
  },
  { what: 'a hold lapses', services: all, take: hold, free: later(11) },
  { what: 'a hold is released', services: all, take: hold, free: ({ desk }, { id }) => desk.release(id) },
  { what: 'an offer lapses', services: all, take: offered, free: later(31) },
  {
    what: 'an offer is declined',
    services: all,
    take: offered,
    free: ({ desk }, { id }) => desk.call('usp_waitlist_decline', { entry_id: id }),
  },
  {
    what: 'who is offered it leaves',
    services: all,
    take: offered,
    free: ({ desk }, { id }) => desk.call('usp_waitlist_leave', { entry_id: id }),
  },
  {
    what: 'who is offered it is erased',
    services: all,
    take: offered,
    free: ({ staff }, { buyer: { email } }) => staff('buyers_erase', { email }),
  },
  {
    what: 'the staff take who is offered it out of the line',
    services: all,
    take: offered,
    free: ({ staff }, { id }) => staff('waitlist_remove', { entry_id: id }),
  },
  {
    what: 'what has lapsed is tidied away',
    services: all,
    take: hold,
    async free({ minutesLater, shop }) {
      minutesLater(12)
      await cleanUpLedger(shop.runtime.db, shop.time.now)
    },
  },
  {
    what: 'a server dies as soon as it gave it back',
    services: all,
    take: hold,
    async free({ shop: { runtime } }, { id }) {
      await sql`
        with hold as (update holds set status = 'converted' where id = ${id}),
          seat as (delete from seats where holder_id = ${id})
        select end_claims('hold', ${id})`.execute(runtime.db)
    },
  },
  {
    what: 'blocked time is given back',
    services: ['svc_chair', 'svc_picked'],
    take: async ({ staff }, { start, end }) =>
      (await staff('blocks_create', { resource_id: 'ann', start, end })).data.block,
    free: ({ staff }, { id }) => staff('blocks_remove', { block_id: id }),
  },
  {
    what: 'a class is made larger',
    services: ['svc_class'],
    async take(tools, slot) {
      await book(tools, slot)
      const day = dayOf(slot)
      const input = { start_date: day, end_date: day, service_id: slot.service_id }
      return (await tools.staff('sessions_list', input)).data.sessions[0]
    },
    free: ({ staff }, { id }) => staff('sessions_resize', { session_id: id, capacity: 2 }),
  },
  {
    what: 'a class is canceled that took somebody up',
    services: ['svc_chair', 'svc_picked'],
    forDay: true,
    async take(tools, slot) {
      await inForce(tools, { ...salon, services: [...services, lesson] })
      const day = dayOf(slot)
      const input = { start_date: day, end_date: day, service_id: lesson.id }
      return (await tools.staff('sessions_list', input)).data.sessions[0]
    },
    free: ({ staff }, { id }) => staff('sessions_cancel', { session_id: id }),
  },
  {
    what: 'a closed day is opened',
    services: all,
    forDay: true,
    shownAtOnce: true,
    take: (tools, slot) => inForce(tools, without(slot)),
    free: ({ shop }) => shop.apply(salon),
  },
  {
    what: 'somebody else can do it as well',
    services: ['svc_chair'],
    shownAtOnce: true,
    async take(tools, slot) {
      await inForce(tools, salon)
      return book(tools, slot)
    },
    free: ({ shop }) =>
      shop.apply({
        ...salon,
        services: services.map((one) =>
          one.id === 'svc_chair' ? { ...one, resources: [{ type: 'staff', options: ['ann', 'ben'] }] } : one,
        ),
      }),
  },
]
