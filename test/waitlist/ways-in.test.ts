import { describe, expect, test } from 'vitest'
import { daily, EVERY_DAY } from '../availability/week.ts'
import { openInterfaces, refusalBy, resultOfTool } from '../bookings/ways.ts'
import { businessWith, service } from '../support/definitions.ts'
import type { Desk, Slot } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { person } from './queue.ts'

/*
 * Each rule of joining the waitlist is run through each way in. A way is a row of `ways`, a rule a row of `rules`. The staff
 * have no operation that joins. An entry waits for one place, so no rule is about a party.
 */

const classOf = (id: string, capacity: object, more = {}) =>
  service(id, {
    type: 'group',
    capacity: { max: 1, waitlist: true, ...capacity },
    ...more,
    sessions: [{ days: [...EVERY_DAY], starts: '10:00' }],
  })
const definition = businessWith(
  [
    classOf('svc_class', {}),
    classOf('svc_plain', { waitlist: false }),
    classOf('svc_pairs', { min: 2, max: 2 }),
    classOf('svc_short', {}, { waitlist: { limit: 1 } }),
    service('svc_free'),
  ],
  { hours: daily('09:00', '18:00') },
)
const { shop, rest, mcp, buyerAtPage, assistant } = await openInterfaces(definition)
const { db } = shop.runtime

/** Joins the waitlist of a time. */
type Join = (buyer: Record<string, string>) => Promise<string | undefined>

const byDesk = (desk: Desk) => async (slot: Slot) => async (buyer: Record<string, string>) =>
  (await desk.call('usp_waitlist_join', { service_id: slot.service_id, slot_id: slot.id, buyer })).code

const ways: Record<string, (slot: Slot) => Promise<Join>> = {
  REST: byDesk(rest),
  MCP: byDesk(mcp),
  'the page': async ({ service_id, start, end }) => {
    const time = `${Date.parse(start)}-${Date.parse(end)}`
    const form = `/book/${service_id}/waitlist?day=${start.slice(0, 10)}&time=${time}`
    const tokenIn = async (url: string) => buyerAtPage.formOf(await buyerAtPage.open(url)).token
    // A page without a form leads elsewhere. The token of another page shows that the server refuses more than the token.
    const token = (await tokenIn(form)) || (await tokenIn('/book/svc_free'))
    shop.time.now = new Date(shop.time.now.getTime() + 5_000)
    return async ({ phone_number: _, ...buyer }) => {
      const { status, headers } = await buyerAtPage.send(form, { form: token, ...buyer })
      expect([303, 422]).toContain(status)
      return headers.location?.startsWith('/waiting/') ? 'done' : 'refused'
    }
  },
  // An assistant joins with the address of its account.
  'the assistant':
    async ({ id: slot_id }) =>
    async ({ email: _, phone_number: phone, ...name }) =>
      resultOfTool(await assistant.call('join_waitlist', { slot_id, person: { ...name, ...(phone && { phone }) } })),
}

interface Rule {
  rule: string
  id: string
  /** The error code over REST and MCP. */
  code: string
  buyer?: Record<string, string>
  /** Happens after a person has opened the page, and before they join. */
  meanwhile?(slot: Slot, inPlace: string): Promise<unknown>
  /** Ways in which nobody can ask for this. */
  cannotBeSentBy?: readonly string[]
}

const minutesBefore =
  (minutes: number) =>
  async ({ start }: Slot) => {
    shop.time.now = new Date(Date.parse(start) - minutes * 60_000)
  }
const rules: Rule[] = [
  { rule: 'a service without a waitlist', id: 'svc_plain', code: 'validation_error' },
  { rule: 'a class for two people at least', id: 'svc_pairs', code: 'validation_error' },
  {
    rule: 'a waitlist that is full',
    id: 'svc_short',
    code: 'waitlist_full',
    meanwhile: ({ id, service_id }) =>
      rest.call('usp_waitlist_join', { service_id, slot_id: id, buyer: person('First') }, { as: shop.other }),
  },
  {
    rule: 'a time that is too near by now',
    id: 'svc_class',
    code: 'booking_window_violated',
    meanwhile: minutesBefore(60),
  },
  {
    rule: 'a time that is past by now',
    id: 'svc_class',
    code: 'booking_window_violated',
    meanwhile: minutesBefore(-10),
  },
  {
    rule: 'an address to which no mail goes',
    id: 'svc_class',
    code: 'validation_error',
    buyer: { ...person('Ann'), email: 'v@x>' },
    cannotBeSentBy: ['the assistant'],
  },
  {
    rule: 'a number that is no phone number',
    id: 'svc_class',
    code: 'validation_error',
    // The form of the page asks for no number.
    buyer: { ...person('Ann'), phone_number: 'call me' },
    cannotBeSentBy: ['the page'],
  },
  {
    rule: 'a first name without a visible character',
    id: 'svc_class',
    code: 'validation_error',
    buyer: { ...person('Ann'), first_name: ' ' },
  },
]

describe.each(Object.entries(ways))('[each way in keeps the rules] of the waitlist by %s', (name, openWay) => {
  const hasCodes = name === 'REST' || name === 'MCP'
  const entries = async () => db.selectFrom('waitlist_entries').select(['id', 'status']).orderBy('number').execute()
  /** A time without a free place, and the booking that has it. The page is open for no longer than its form is valid. */
  const full = async (id: string) => {
    shop.time.now = START
    const slots = await rest.slots(id, { start_date: '2026-11-24', end_date: '2026-12-20', limit: 200 })
    const slot = slots.find(({ capacity }) => capacity.remaining === capacity.total)
    const { booking } = (await rest.book(slot, { party_size: slot.capacity.total }, { as: shop.other })).data
    await minutesBefore(150)(slot)
    return { slot, inPlace: booking.id }
  }
  /** The new entries, and the result. */
  const act = async ({ id, buyer = person('Ann'), meanwhile }: Omit<Rule, 'rule' | 'code'>, times = 1) => {
    const { slot, inPlace } = await full(id)
    const join = await openWay(slot)
    await meanwhile?.(slot, inPlace)
    const before = await entries()
    const results = []
    for (let time = 0; time < times; time++) results.push(await join(buyer))
    return { more: (await entries()).slice(before.length).map(({ status }) => status), result: results.at(-1) }
  }

  test('a buyer joins where no rule forbids it', async () => {
    expect(await act({ id: 'svc_class' })).toEqual({ more: ['waiting'], result: hasCodes ? undefined : 'done' })
  })

  test.each(rules.filter(({ cannotBeSentBy = [] }) => !cannotBeSentBy.includes(name)))(
    '$rule is refused',
    async (rule) => {
      expect(await act(rule)).toEqual({ more: [], result: refusalBy(name, rule.code) })
    },
  )

  // The page knows its visitor by the form alone, so that it reveals no address that waits (decision 0056).
  test('the same buyer who joins twice has one entry', async () => {
    const { more, result } = await act({ id: 'svc_class' }, 2)
    expect([more, result]).toEqual([['waiting'], hasCodes ? 'already_waiting' : 'done'])
  })

  // A platform that joins for a free time gets an offer of it. A person is sent to the free time instead.
  test('a time that is not full has no waitlist', async () => {
    const meanwhile = async (_: Slot, inPlace: string) => rest.cancel(inPlace, {}, { as: shop.other })
    const { more, result } = await act({ id: 'svc_class', meanwhile })
    const expected = hasCodes ? [['offered'], 'slot_available'] : [[], 'refused']
    expect([more, result]).toEqual(expected)
  })
})
