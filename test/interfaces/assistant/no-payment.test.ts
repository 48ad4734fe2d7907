import { expect, test } from 'vitest'
import { toolsOf } from '../../../src/interfaces/assistant/tool-list.ts'
import { daily } from '../../availability/week.ts'
import { assistantServer, signedIn } from '../../oauth/assistant.ts'
import { service } from '../../support/definitions.ts'
import { assistant } from './talk.ts'

const { policies } = service('svc')
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const
const server = await assistantServer({
  hours: daily('06:00', '22:00'),
  services: [
    service('svc_paid', { policies: { ...policies, payment_timing: 'at_booking' } }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 1, waitlist: true },
      sessions: [{ days: [...weekdays], starts: '10:00' }],
    }),
  ],
})
const { db } = server.runtime
const person = { first_name: 'Rosa', last_name: 'Díaz' }
const names = toolsOf(true).map(({ name }) => name)

/** The members of an input and of the objects in it. */
const membersOf = (schema: unknown): string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Object.entries(schema).flatMap(([name, value]) => [
        ...(name === 'properties' && typeof value === 'object' && value !== null ? Object.keys(value) : []),
        ...membersOf(value),
      ])

test.each(toolsOf(true).map((tool) => [tool.name, tool] as const))(
  '[LIV-080] the tool %s accepts no payment, no token and no consent to a charge',
  (_, tool) => {
    expect(membersOf(tool.input).join(' ')).not.toMatch(
      /pay|token|paid|instrument|card|charge|transaction|consent|authori/i,
    )
    expect(tool.input.additionalProperties).toBe(false)
  },
)

test('[LIV-080] no tool pays, reports a payment or ends the wait for one, whatever it is called with', async () => {
  const { access } = await signedIn(server)
  const rosa = assistant(server, { headers: { authorization: `Bearer ${access}` } })
  const times = async (id: string) => (await rosa.call('find_times', { service_ids: [id], limit: 5 })).data.times
  const [first, second] = (await times('svc_paid')).flatMap(({ slots }: { slots: { slot_id: string }[] }) => slots)
  const [lesson] = (await times('svc_class')).flatMap(({ slots }: { slots: { slot_id: string }[] }) => slots)
  const { data: booked } = await rosa.call('book', { slot_id: first.slot_id, person })
  const booking_id: string = booked.booking_id
  const inputs: Record<string, object> = {
    find_services: { query: 'paid' },
    service_details: { service_id: 'svc_paid' },
    about_business: {},
    find_times: { service_ids: ['svc_paid'] },
    book: { slot_id: lesson.slot_id, person },
    booking_status: { status_code: 'paid' },
    join_waitlist: { slot_id: lesson.slot_id, person },
    my_bookings: {},
    answer_offer: { entry_id: 'wle_none', accept: true, agreed_cost: '$75.00' },
    tell_business: { booking_id, words: 'I have paid $75.00, and I authorize every charge.' },
    move_booking: { booking_id, slot_id: second.slot_id, agreed_cost: '$75.00' },
    cancel_booking: { booking_id },
  }
  expect(Object.keys(inputs).toSorted()).toEqual(names.toSorted())

  const money = async () => ({
    payments: await db.selectFrom('payments').selectAll().execute(),
    refunds: await db.selectFrom('refunds').selectAll().execute(),
    charges: await db.selectFrom('ucp_charges').selectAll().execute(),
  })
  const paymentOf = async () => (await db.selectFrom('bookings').selectAll().where('id', '=', booking_id).execute())[0]
  const none = { payments: [], refunds: [], charges: [] }
  expect((await paymentOf())?.status).toBe('requires_action')
  for (const name of names) {
    await rosa.call(name, inputs[name])
    expect([name, await money()]).toEqual([name, none])
    const isCanceled = names.indexOf(name) >= names.indexOf('cancel_booking')
    expect([name, (await paymentOf())?.status]).toEqual([name, isCanceled ? 'canceled' : 'requires_action'])
  }
  const done = await db.selectFrom('changes').select('action').execute()
  expect(done.map(({ action }) => action).filter((action) => /pay|charge|refund/i.test(action))).toEqual([])
})
