import { describe, expect, test } from 'vitest'
import { pageUrl } from '../../src/domain/bookings/booking-page-links.ts'
import { daily } from '../availability/week.ts'
import { linkIn } from '../pages/shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import type { Desk, Slot } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { openInterfaces, refusalBy, resultOfForm, resultOfTool } from './ways.ts'

/*
 * Each rule of canceling and moving is run through each way in. A way is a row of `ways`, a rule a row of `rules`. The tables
 * of booking are in ways-in-to-book.test.ts, those of joining the waitlist in test/waitlist/ways-in.test.ts.
 */

const usual = service('any').policies
// Each test has a day of its own.
const policies = { ...usual, booking_window: { ...usual.booking_window, max_advance: 'P120D' } }
const once = { allowed: true, max_reschedules: 1 }
const definition = businessWith(
  [
    service('svc_open', { capacity: { max: 4 }, policies: { ...policies, rescheduling: once } }),
    service('svc_firm', {
      policies: { ...policies, cancellation: { allowed: false }, rescheduling: { allowed: false } },
    }),
  ],
  { hours: daily('09:00', '18:00') },
)
const { shop, rest, mcp, page, assistant, sendAtDesk } = await openInterfaces(definition)
const { db, tag } = shop.runtime

interface Booking {
  id: string
  slot: Slot
}

interface Made {
  booking: Booking
  /** Free times of the same day. */
  earlier: Slot
  later: Slot
  third: Slot
}

const stored = async ({ id }: Booking) => {
  const row = db.selectFrom('bookings').select(['status', 'starts_at']).where('id', '=', id)
  const { status, starts_at } = await row.executeTakeFirstOrThrow()
  return { status, start: starts_at.getTime() }
}
const fieldOf = (body: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''

interface Way {
  /** Books as one who can then cancel and move by this way. */
  book(slot: Slot): Promise<Booking>
  cancel(booking: Booking): Promise<string | undefined>
  move(booking: Booking, slot: Slot): Promise<string | undefined>
}

let days = 0
/** A booking in the middle of a day of its own. */
async function booked(id: string, { book }: Pick<Way, 'book'>): Promise<Made> {
  shop.time.now = START
  const day = new Date(Date.UTC(2026, 10, 24 + days++)).toISOString().slice(0, 10)
  const slots = await rest.slots(id, { start_date: day, end_date: day })
  return { booking: await book(slots[8]), earlier: slots[0], later: slots.at(-1), third: slots[4] }
}

const byDesk = (desk: Desk): Way => ({
  book: async (slot) => (await desk.book(slot)).data.booking,
  cancel: async ({ id }) => (await desk.cancel(id)).code,
  move: async ({ id }, slot) => (await desk.reschedule(id, slot)).code,
})
const { book } = byDesk(rest)
const byStaff = (step: string, input: Record<string, unknown>) =>
  rest.call(`usp_business_bookings_${step}`, input, { as: shop.staff })

/** The terms that the pages of a booking send back with their forms when canceling and moving are free. */
async function termsOfPages() {
  const { booking } = await booked('svc_open', { book })
  const { body } = await page.open((await rest.get(booking.id)).data.booking.booking_url)
  const cancel = await page.open(linkIn(body, 'cancel') ?? '')
  const times = await page.open(linkIn(body, 'move') ?? '')
  const time = /href="([^"]*time=\d+-\d+)"/.exec(times.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const move = await page.open(`https://book.example${time}`)
  return { cancel: fieldOf(cancel.body, 'terms'), move: fieldOf(move.body, 'terms') }
}
const terms = await termsOfPages()

const sentToPage = async ({ id }: Booking, name: 'cancel' | 'move', form: Record<string, string>) => {
  // The page leads back to the booking whether or not the rule refused it.
  const url = pageUrl('https://book.example', tag, { id, record: {} }, name)
  expect((await page.send(url, form)).status).toBeLessThan(500)
  return 'sent'
}
const ways: Record<string, Way> = {
  REST: byDesk(rest),
  MCP: byDesk(mcp),
  'the page': {
    book,
    cancel: (booking) => sentToPage(booking, 'cancel', { terms: terms.cancel }),
    move: (booking, slot) => sentToPage(booking, 'move', { slot: slot.id, terms: terms.move }),
  },
  // A booking of an assistant belongs to the account for which it signed in.
  'the assistant': {
    async book(slot) {
      const { data } = await assistant.call('book', {
        slot_id: slot.id,
        person: { first_name: 'Rosa', last_name: 'Díaz' },
      })
      return { id: data.booking_id, slot }
    },
    cancel: async ({ id }) => resultOfTool(await assistant.call('cancel_booking', { booking_id: id })),
    move: async ({ id }, { id: slot_id }) =>
      resultOfTool(await assistant.call('move_booking', { booking_id: id, slot_id })),
  },
  'the staff over REST': {
    book,
    cancel: async ({ id }) => (await byStaff('cancel', { booking_id: id })).code,
    move: async ({ id }, slot) => (await byStaff('reschedule', { booking_id: id, slot_id: slot.id })).code,
  },
  'the desk': {
    book,
    cancel: async ({ id }) => resultOfForm(await sendAtDesk(`/desk/bookings/${id}`, { do: 'cancel' })),
    move: async ({ id }, slot) => resultOfForm(await sendAtDesk(`/desk/bookings/${id}/move`, { slot: slot.id })),
  },
}

interface Rule {
  rule: string
  act: 'cancel' | 'move'
  id: string
  /** The error code over REST and MCP. */
  code: string
  /** Ways of the staff, who may set this rule aside. */
  doesNotBind?: readonly string[]
  /** Happens after a person has opened the form of a page, and before they send it. */
  meanwhile?(made: Made, way: Way): Promise<unknown>
  /** The time of a move: `later` when left out. */
  to?: 'earlier' | 'later'
}

const STAFF = ['the staff over REST', 'the desk']
const begins = async ({ booking }: Made) => {
  shop.time.now = new Date(booking.slot.start)
}
const isCompleted = async ({ booking: { id } }: Made) => {
  for (const step of ['start', 'complete']) await byStaff(step, { booking_id: id })
}
const minutesBefore =
  (minutes: number) =>
  async ({ earlier }: Made) => {
    shop.time.now = new Date(Date.parse(earlier.start) - minutes * 60_000)
  }
const rules: Rule[] = [
  {
    rule: 'a booking that has begun',
    act: 'cancel',
    id: 'svc_open',
    code: 'cancellation_not_allowed',
    doesNotBind: STAFF,
    meanwhile: begins,
  },
  {
    rule: 'a booking that has begun',
    act: 'move',
    id: 'svc_open',
    code: 'reschedule_not_allowed',
    doesNotBind: STAFF,
    meanwhile: begins,
  },
  {
    rule: 'what its terms forbid',
    act: 'cancel',
    id: 'svc_firm',
    code: 'cancellation_not_allowed',
    doesNotBind: STAFF,
  },
  {
    rule: 'what its terms forbid',
    act: 'move',
    id: 'svc_firm',
    code: 'reschedule_not_allowed',
    doesNotBind: STAFF,
  },
  {
    rule: 'more often than its terms allow',
    act: 'move',
    id: 'svc_open',
    code: 'reschedule_limit_reached',
    doesNotBind: STAFF,
    meanwhile: ({ booking, third }, { move }) => move(booking, third),
  },
  {
    rule: 'a booking that is completed',
    act: 'cancel',
    id: 'svc_open',
    code: 'invalid_transition',
    meanwhile: isCompleted,
  },
  {
    rule: 'a booking that is completed',
    act: 'move',
    id: 'svc_open',
    code: 'invalid_transition',
    meanwhile: isCompleted,
  },
  {
    rule: 'a booking that is canceled',
    act: 'move',
    id: 'svc_open',
    code: 'invalid_transition',
    meanwhile: ({ booking }, { cancel }) => cancel(booking),
  },
  {
    rule: 'to a time that another buyer has booked',
    act: 'move',
    id: 'svc_open',
    code: 'slot_unavailable',
    meanwhile: ({ later }) => rest.book(later, {}, { as: shop.other }),
  },
  {
    rule: 'to a time that is too near by now',
    act: 'move',
    id: 'svc_open',
    code: 'booking_window_violated',
    doesNotBind: STAFF,
    to: 'earlier',
    meanwhile: minutesBefore(60),
  },
  {
    rule: 'to a time that is past by now',
    act: 'move',
    id: 'svc_open',
    code: 'booking_window_violated',
    // The forms of the desk send the override of the booking window.
    to: 'earlier',
    meanwhile: minutesBefore(-10),
    doesNotBind: ['the desk'],
  },
]

describe.each(Object.entries(ways))('[each way in keeps the rules] by %s', (name, way) => {
  const binds = ({ doesNotBind = [] }: Rule) => !doesNotBind.includes(name)
  const act = async ({ act, id, meanwhile, to = 'later' }: Rule) => {
    const made = await booked(id, way)
    await meanwhile?.(made, way)
    const before = await stored(made.booking)
    const result = await (act === 'cancel' ? way.cancel(made.booking) : way.move(made.booking, made[to]))
    return { before, result, after: await stored(made.booking), wished: Date.parse(made[to].start) }
  }

  test('what no rule forbids is done', async () => {
    const { booking, later } = await booked('svc_open', way)
    await way.move(booking, later)
    expect(await stored(booking)).toEqual({ status: 'confirmed', start: Date.parse(later.start) })
    await way.cancel(booking)
    expect((await stored(booking)).status).toBe('canceled')
  })

  test.each(rules.filter(binds))('$act: $rule is refused', async (rule) => {
    const { before, result, after } = await act(rule)
    expect(after).toEqual(before)
    expect(result).toBe(name === 'the page' ? 'sent' : refusalBy(name, rule.code))
  })

  test.each(rules.filter((rule) => !binds(rule)))('$act: $rule does not bind the staff', async (rule) => {
    const { before, after, wished } = await act(rule)
    expect(after).toEqual(rule.act === 'cancel' ? { ...before, status: 'canceled' } : { ...before, start: wished })
  })
})
