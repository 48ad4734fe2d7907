import { expect, test } from 'vitest'
import { completeTask } from '../../src/domain/bookings/complete-buyer-task.ts'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { bookingFind } from '../../src/domain/bookings/queries.ts'
import { runUnitOfWork } from '../../src/infra/db/run-unit-of-work.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, onBothDesks } from '../support/desk.ts'
import { expectValidEvent, type ToldShop, toldShop } from './told-shop.ts'

const policies = service('any').policies
const paidAtOnce = { policies: { ...policies, payment_timing: 'at_booking' as const } }
const definition = businessWith(
  [
    service('svc_auto'),
    service('svc_manual', { policies: { ...policies, confirmation_mode: 'manual' } }),
    service('svc_paid', paidAtOnce),
    service('svc_signed', { ...paidAtOnce, waiver: { text: 'At my own risk.' } }),
    service('svc_class', { type: 'group', capacity: { max: 3 }, sessions: [{ days: ['tuesday'], starts: '10:00' }] }),
    service('svc_chosen', { resources: [{ type: 'staff', selectable: true, options: ['staff_ann', 'staff_ben'] }] }),
  ],
  {
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben' },
    ],
  },
)

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
type Told = any

interface Case {
  rows: string
  what: string
  service: string
  /** Done to a booking that is confirmed, unless it cannot be; told of are these alone. */
  act(id: string, tools: { desk: Desk; shop: ToldShop; staff: Staff }): Promise<unknown>
  events: string[]
  shows?: object
}
type Staff = (tool: string, input: Record<string, unknown>) => Promise<Told>

const start: Case['act'] = async (id, { shop, desk, staff }) => {
  shop.time.now = new Date((await desk.get(id)).data.booking.slot.start)
  await staff('start', { booking_id: id })
}

const cases: Case[] = [
  {
    rows: '[EVT-017]',
    what: 'the buyer cancels',
    service: 'svc_auto',
    act: (id, { desk }) => desk.cancel(id),
    events: ['booking.canceled'],
    shows: { status: 'canceled', cancellation: { canceled_by: 'buyer' } },
  },
  {
    rows: '[EVT-017]',
    what: 'the staff cancel',
    service: 'svc_auto',
    act: (id, { staff }) => staff('cancel', { booking_id: id }),
    events: ['booking.canceled'],
    shows: { status: 'canceled', cancellation: { canceled_by: 'business' } },
  },
  {
    rows: '[EVT-017]',
    what: 'the staff say no',
    service: 'svc_manual',
    act: (id, { staff }) => staff('decline', { booking_id: id, reason: 'Away that week.' }),
    events: ['booking.canceled'],
    shows: { status: 'canceled', cancellation: { canceled_by: 'business' } },
  },
  {
    rows: '[EVT-017]',
    what: 'its class is canceled',
    service: 'svc_class',
    async act(_, { desk, shop }) {
      const week = { start_date: '2026-11-24', end_date: '2026-11-24' }
      const [{ id: session_id }] = (await desk.call('usp_business_sessions_list', week, { as: shop.staff })).data
        .sessions
      await desk.call('usp_business_sessions_cancel', { session_id }, { as: shop.staff })
    },
    events: ['booking.canceled'],
    shows: { status: 'canceled', cancellation: { canceled_by: 'business' } },
  },
  {
    rows: '[EVT-017]',
    what: 'the time is cleared',
    service: 'svc_auto',
    async act(id, { desk, shop }) {
      const { booking } = (await desk.get(id)).data
      const away = { everybody: true, start: booking.slot.start, end: booking.slot.end }
      const bookings = [{ booking_id: id, revision: booking.revision, action: 'cancel' }]
      await desk.call('usp_business_time_clear', { ...away, bookings }, { as: shop.staff })
    },
    events: ['booking.canceled'],
    shows: { status: 'canceled', cancellation: { canceled_by: 'business' } },
  },
  {
    rows: '[EVT-014]',
    what: 'it is paid at the counter',
    service: 'svc_paid',
    act: (id, { staff }) => staff('mark_paid', { booking_id: id }),
    events: ['booking.confirmed'],
    shows: { status: 'confirmed', payment: { status: 'paid' } },
  },
  {
    rows: '[the books lose no line]',
    what: 'a payment is corrected',
    service: 'svc_paid',
    async act(id, { staff }) {
      await staff('mark_paid', { booking_id: id, kind: 'cash' })
      const { payments } = await staff('get', { booking_id: id })
      await staff('payment_correct', { booking_id: id, payment_id: payments[0].id, kind: 'card' })
    },
    events: ['booking.confirmed'],
  },
  {
    rows: '[EVT-018]',
    what: 'nobody answers a request in time',
    service: 'svc_manual',
    async act(_, { shop }) {
      shop.minutesLater(25 * 60)
      await expireOverdue(shop.runtime, shop.time.now)
    },
    events: ['booking.canceled'],
    shows: { status: 'canceled', cancellation: { canceled_by: 'system' } },
  },
  {
    rows: '[EVT-018]',
    what: 'nobody pays in time, and the next read finds out',
    service: 'svc_paid',
    async act(id, { shop, desk }) {
      shop.minutesLater(24 * 60)
      await expireOverdue(shop.runtime, shop.time.now)
      await desk.get(id)
    },
    events: ['booking.canceled'],
    shows: { status: 'canceled', cancellation: { canceled_by: 'system' } },
  },
  {
    rows: '[EVT-019]',
    what: 'it moves to somebody else at the same time',
    service: 'svc_chosen',
    async act(id, { desk }) {
      const { slot } = (await desk.get(id)).data.booking
      const same = (await desk.slots('svc_chosen')).find((one) => one.start === slot.start && one.id !== slot.id)
      expect((await desk.reschedule(id, same)).data.booking.slot).toMatchObject({ id: same.id, start: slot.start })
    },
    events: ['booking.rescheduled'],
    shows: { status: 'confirmed' },
  },
  {
    rows: '[EVT-019]',
    what: 'the staff move it',
    service: 'svc_auto',
    async act(id, { desk, staff }) {
      const slot = (await desk.slots('svc_auto')).at(-1)
      await staff('reschedule', { booking_id: id, slot_id: slot.id })
    },
    events: ['booking.rescheduled'],
    shows: { status: 'confirmed' },
  },
  {
    rows: '[EVT-012]',
    what: 'the staff correct who comes, for which there is no event',
    service: 'svc_auto',
    act: (id, { staff }) => staff('correct', { booking_id: id, buyer: { first_name: 'Alicia' } }),
    events: [],
  },
  {
    rows: '[EVT-021] [EVT-025]',
    what: 'it is delivered',
    service: 'svc_auto',
    async act(id, tools) {
      await start(id, tools)
      await tools.staff('complete', { booking_id: id })
    },
    events: ['booking.service_started', 'booking.completed'],
    shows: { status: 'completed' },
  },
  {
    rows: '[EVT-025] [EVT-026]',
    what: 'it takes longer than was booked',
    service: 'svc_auto',
    async act(id, tools) {
      await start(id, tools)
      const { end } = (await tools.desk.get(id)).data.booking.slot
      const later = new Date(Date.parse(end) + 30 * 60_000).toISOString()
      await tools.staff('adjust', { booking_id: id, end: later })
    },
    events: ['booking.service_started', 'booking.service_updated'],
    shows: { status: 'in_progress' },
  },
  {
    rows: '[EVT-025] [EVT-026]',
    what: 'it is to take longer than was booked',
    service: 'svc_auto',
    async act(id, { desk, staff }) {
      const { end } = (await desk.get(id)).data.booking.slot
      await staff('adjust', { booking_id: id, end: new Date(Date.parse(end) + 30 * 60_000).toISOString() })
    },
    events: ['booking.rescheduled'],
    shows: { status: 'confirmed' },
  },
  {
    rows: '[EVT-021]',
    what: 'nobody comes',
    service: 'svc_auto',
    async act(id, { shop, desk, staff }) {
      shop.time.now = new Date((await desk.get(id)).data.booking.slot.end)
      await staff('no_show', { booking_id: id })
    },
    events: ['booking.no_show'],
    shows: { status: 'no_show' },
  },
  {
    rows: '[EVT-022] [EVT-014]',
    what: 'it is paid, and half of it is given back',
    service: 'svc_paid',
    async act(id, { desk, staff }) {
      await desk.pay((await desk.get(id)).data.booking)
      await staff('refund', { booking_id: id, amount: 2500 })
    },
    events: ['booking.confirmed', 'booking.refund_issued'],
    shows: { payment: { status: 'partially_refunded' } },
  },
  {
    rows: '[EVT-022]',
    what: 'it is paid, and given back in two halves',
    service: 'svc_paid',
    async act(id, { desk, staff }) {
      await desk.pay((await desk.get(id)).data.booking)
      await staff('refund', { booking_id: id, amount: 2500 })
      await staff('refund', { booking_id: id, amount: 5000 })
    },
    events: ['booking.confirmed', 'booking.refund_issued', 'booking.refund_issued'],
    shows: { payment: { status: 'refunded' } },
  },
  ...(['buyer', 'business'] as const).map((in_favor_of) => ({
    rows: '[EVT-023] [EVT-024]',
    what: `a dispute ends well for the ${in_favor_of}`,
    service: 'svc_paid',
    async act(id: string, { desk, staff }: { desk: Desk; staff: Staff }) {
      await desk.pay((await desk.get(id)).data.booking)
      await staff('dispute_open', { booking_id: id, reason: 'quality_issue' })
      await staff('dispute_review', { booking_id: id })
      await staff('dispute_resolve', { booking_id: id, in_favor_of })
    },
    events: [
      'booking.confirmed',
      'booking.dispute_opened',
      ...(in_favor_of === 'buyer' ? ['booking.refund_issued'] : []),
      'booking.dispute_resolved',
    ],
    shows: { dispute: { status: `resolved_${in_favor_of}`, reason: 'quality_issue' } },
  })),
  {
    rows: '[EVT-022] [EVT-023] [EVT-024]',
    what: 'money goes back during a dispute and after it',
    service: 'svc_paid',
    async act(id, { desk, staff }) {
      await desk.pay((await desk.get(id)).data.booking)
      await staff('dispute_open', { booking_id: id, reason: 'quality_issue' })
      await staff('refund', { booking_id: id, amount: 1000 })
      await staff('dispute_resolve', { booking_id: id, in_favor_of: 'business' })
      await staff('refund', { booking_id: id, amount: 1000 })
    },
    events: [
      'booking.confirmed',
      'booking.dispute_opened',
      'booking.refund_issued',
      'booking.dispute_resolved',
      'booking.refund_issued',
    ],
  },
  {
    rows: '[EVT-015]',
    what: 'it is paid while a waiver is missing',
    service: 'svc_signed',
    act: async (id, { desk }) => desk.pay((await desk.get(id)).data.booking),
    events: [],
  },
  {
    rows: '[EVT-014]',
    what: 'it is paid after the waiver',
    service: 'svc_signed',
    async act(id, { desk, shop }) {
      await runUnitOfWork(shop.runtime.db, async (tx) => {
        const row = await bookingFind(tx, id, undefined, { lock: true })
        if (row) await completeTask(tx, row, { task: 'waiver', actor: 'buyer' }, shop.time.now)
      })
      await desk.pay((await desk.get(id)).data.booking)
    },
    events: ['booking.confirmed'],
    shows: { status: 'confirmed' },
  },
]

await onBothDesks(
  () => toldShop(definition),
  (desk, shop) => {
    const staff: Staff = async (tool, input) => {
      const said = await desk.call(`usp_business_bookings_${tool}`, input, { as: shop.staff })
      expect([tool, said.status < 300, said.code]).toEqual([tool, true, undefined])
      return said.data
    }

    test.each(cases)(
      '$rows [EVT-006] [EVT-009] [EVT-010] [EVT-012] [EVT-027] [REV-003] when $what, $events is told',
      async ({ service: id, act, events, shows }) => {
        const began = shop.time.now
        const [slot] = await desk.slots(id)
        const made = (await desk.book(slot)).data
        await shop.told()
        await act(made.booking.id, { desk, shop, staff })
        // Told long after: what is told is what was.
        const happened = shop.time.now
        const told: Told[] = await shop.toldAfter(86_400)
        const now = (await desk.get(made.booking.id)).data.booking
        expect(told.map(({ event }) => event)).toEqual(events)
        for (const body of told) {
          expectValidEvent(body)
          expect([body.booking_id, body.data.revision]).toEqual([made.booking.id, expect.any(String)])
          expect(Date.parse(body.timestamp)).toBeLessThanOrEqual(happened.getTime())
          expect(body).not.toHaveProperty('order_id')
          expect(JSON.stringify(body)).not.toMatch(/bsc_|credential|secret|"key"/)
        }
        if (shows) {
          expect(told.at(-1).data).toMatchObject(shows)
          expect(told.at(-1).data).toEqual(now)
        }
        await desk.cancel(made.booking.id)
        await shop.told()
        shop.time.now = began
      },
    )
  },
)
