import { afterEach, expect, test } from 'vitest'
import { defineOperation } from '../../src/protocol/define-operation.ts'
import { BusinessRefusal, type BusinessRefusalCode } from '../../src/protocol/errors.ts'
import { expectProblem, onBothDesks, type Said, testShop } from '../support/desk.ts'
import { START, testServer } from '../support/server.ts'
import { tableContents } from '../support/table-contents.ts'
import { shopDefinition } from './shop.ts'

const input = 'requires_buyer_input'
const review = 'requires_buyer_review'

await onBothDesks(
  () => testShop(shopDefinition),
  (desk, shop) => {
    afterEach(() => {
      shop.time.now = START
    })
    const first = async (serviceId: string, days = {}) => (await desk.slots(serviceId, days))[0]
    const booked = async (serviceId: string) => (await desk.book(await first(serviceId))).data.booking
    const held = async (serviceId: string) => {
      const slot = await first(serviceId)
      return { slot, hold: (await desk.hold(slot)).data.hold }
    }
    const none = { slot_id: 'slot_none', service_id: 'svc_none' }

    /** Each makes what is needed, and returns the call that the business says no to. */
    const cases: [string, BusinessRefusalCode, string, () => Promise<() => Promise<Said>>][] = [
      [
        '[ERR-019] a slot that somebody has',
        'slot_unavailable',
        'recoverable',
        async () => {
          const slot = await first('svc_cut')
          await desk.book(slot, {}, { as: shop.other })
          return () => desk.hold(slot)
        },
      ],
      [
        '[ERR-020] a hold that has ended',
        'hold_expired',
        'recoverable',
        async () => {
          const { slot, hold } = await held('svc_free')
          shop.minutesLater(11)
          return () => desk.book(slot, { hold_id: hold.id })
        },
      ],
      [
        '[ERR-023] a slot that is too near by now',
        'booking_window_violated',
        input,
        async () => {
          const slot = await first('svc_free')
          shop.time.now = new Date(Date.parse(slot.start) - 3_600_000)
          return () => desk.book(slot)
        },
      ],
      [
        '[ERR-024] more people than fit',
        'capacity_exceeded',
        'recoverable',
        async () => {
          const slot = await first('svc_class')
          return () => desk.book(slot, { party_size: 7 })
        },
      ],
      [
        '[ERR-025] a third move where two are allowed',
        'reschedule_limit_reached',
        review,
        async () => {
          const { id } = await booked('svc_cut')
          for (const _ of [1, 2]) await desk.reschedule(id, await first('svc_cut'))
          const slot = await first('svc_cut')
          return () => desk.reschedule(id, slot)
        },
      ],
      [
        'a move where none is allowed',
        'reschedule_not_allowed',
        review,
        async () => {
          const { id } = await booked('svc_firm')
          const slot = await first('svc_firm')
          return () => desk.reschedule(id, slot)
        },
      ],
      [
        '[ERR-026] a cancellation where none is allowed',
        'cancellation_not_allowed',
        review,
        async () => {
          const { id } = await booked('svc_firm')
          return () => desk.cancel(id)
        },
      ],
      [
        '[LIV-016] a confirmation of what confirms itself',
        'invalid_transition',
        'unrecoverable',
        async () => {
          const { id } = await booked('svc_paid')
          return () => desk.confirm(id)
        },
      ],
    ]

    test.each(cases)('%s is a no of the business: %s', async (_, code, severity, prepare) => {
      const call = await prepare()
      const before = await tableContents(shop.runtime.db)
      const { status, rpc, data } = await call()
      expect([status, rpc]).toEqual([200, undefined])
      expect(data.messages).toHaveLength(1)
      expect(data.messages[0]).toMatchObject({ type: 'error', code, severity, content: expect.stringMatching(/\S/) })
      expect(await tableContents(shop.runtime.db)).toEqual(before)
    })

    type Problem = Parameters<typeof expectProblem>[1]
    /** Each makes what is needed, and returns the call that the server cannot process. */
    const problems: [string, Problem, string | undefined, () => Promise<() => Promise<Said>>][] = [
      [
        "[LIV-003] [LIV-004] somebody else's booking",
        'booking_not_found',
        undefined,
        async () => {
          const { id } = await booked('svc_free')
          return () => desk.cancel(id, {}, { as: shop.other })
        },
      ],
      [
        '[LIV-011] no address where one is needed',
        'validation_error',
        'delivery_address',
        async () => {
          const slot = await first('svc_visit')
          return () => desk.book(slot)
        },
      ],
      [
        '[LIV-011] a value that the schema refuses',
        'validation_error',
        'party_size',
        async () => {
          const slot = await first('svc_free')
          return () => desk.book(slot, { party_size: 'two' })
        },
      ],
      [
        '[LIV-010] a hold on a service that there is not',
        'validation_error',
        'service_id',
        async () => () => desk.call('usp_availability_hold', none),
      ],
      [
        '[LIV-010] a booking of a service that there is not',
        'validation_error',
        'service_id',
        async () => {
          const slot = await first('svc_free')
          return () => desk.book({ ...slot, service_id: 'svc_none' })
        },
      ],
      [
        '[LIV-006] the release of a hold that there is not',
        'not_found',
        undefined,
        async () => () => desk.release('hold_none'),
      ],
      [
        "[LIV-063] a booking with somebody else's hold",
        'validation_error',
        'hold_id',
        async () => {
          const { slot, hold } = await held('svc_free')
          return () => desk.book(slot, { hold_id: hold.id }, { as: shop.other })
        },
      ],
    ]

    test.each(problems)('[LIV-001] %s is an error of the protocol: %s', async (_, code, field, prepare) => {
      const call = await prepare()
      const before = await tableContents(shop.runtime.db)
      expectProblem(await call(), code, field)
      expect(await tableContents(shop.runtime.db)).toEqual(before)
    })
  },
)

// This server takes a payment whatever else is still to be done; who extends it can ask for another order.
test('[ERR-030] actions_pending would be a no of the business, too', async () => {
  const strict = defineOperation<{ input: object; output: object }>({
    id: 'payFirst',
    rest: 'POST /pay-first',
    tool: 'usp_pay_first',
    title: 'Pay',
    description: 'Never works.',
    capability: 'dev.usp-protocol.services.bookings',
    access: 'public',
    effect: 'update',
    input: { type: 'object', properties: {} },
    output: { type: 'object', properties: {} },
    summary: () => 'Paid.',
    handle: async () => {
      throw new BusinessRefusal('actions_pending', 'Sign the waiver first.')
    },
  })
  const server = await testServer(shopDefinition, { operations: [strict] })
  const rest = await server.rest('POST', '/pay-first', {})
  expect(rest.status).toBe(200)
  for (const { messages } of [rest.body, (await server.tool('usp_pay_first')).body.result.structuredContent])
    expect(messages).toMatchObject([{ type: 'error', code: 'actions_pending', severity: input }])
})
