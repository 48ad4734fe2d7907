import { describe, expect, test } from 'vitest'
import { pageUrl } from '../../src/domain/bookings/page-links.ts'
import { daily } from '../availability/week.ts'
import { ROSA, visitor } from '../booking-flow/visitor.ts'
import { browser, linkIn } from '../pages/shop.ts'
import { businessWith, service } from '../support/definitions.ts'
import { type Desk, mcpDesk, restDesk, type Slot, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'

/*
 * A rule that has several ways in is run through each of them. A way is a row of `ways` or `waysToBook`, a rule a row of
 * `rules` or `rulesOfBooking`.
 */

const { policies } = service('any')
const once = { allowed: true, max_reschedules: 1 }
const definition = businessWith(
  [
    service('svc_open', { capacity: { max: 4 }, policies: { ...policies, rescheduling: once } }),
    service('svc_firm', {
      policies: { ...policies, cancellation: { allowed: false }, rescheduling: { allowed: false } },
    }),
    service('svc_class', {
      ...{ type: 'group', capacity: { max: 2 } },
      sessions: [{ days: ['tuesday', 'wednesday', 'thursday'], starts: '10:00' }],
    }),
  ],
  { hours: daily('09:00', '18:00') },
)
const shop = await testShop(definition)
const { runtime } = shop
const [rest, mcp, page] = [restDesk(shop), mcpDesk(shop), browser(shop)]

type Booking = { id: string; slot: Slot; service_id: string; booking_url: string }

const now = async ({ id }: Booking) => {
  const { status, slot } = (await rest.get(id)).data.booking
  return { status, start: slot.start }
}
const fieldOf = (body: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? ''

let days = 0
/** A booking on a day of its own, and another free time of that day. */
async function booked(id: string): Promise<{ booking: Booking; other: Slot; third: Slot }> {
  shop.time.now = START
  const day = new Date(Date.UTC(2026, 10, 24 + days++)).toISOString().slice(0, 10)
  const slots = await rest.slots(id, { start_date: day, end_date: day })
  return { booking: (await rest.book(slots.at(-1))).data.booking, other: slots[0], third: slots[4] }
}

/** The terms that the pages of a booking send back with their forms when canceling and moving are free. */
async function termsOfPages() {
  const { booking } = await booked('svc_open')
  const { body } = await page.open(booking.booking_url)
  const cancel = await page.open(linkIn(body, 'cancel') ?? '')
  const times = await page.open(linkIn(body, 'move') ?? '')
  const time = /href="([^"]*time=\d+-\d+)"/.exec(times.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const move = await page.open(`https://book.example${time}`)
  return { cancel: fieldOf(cancel.body, 'terms'), move: fieldOf(move.body, 'terms') }
}
const terms = await termsOfPages()

interface Way {
  cancel(booking: Booking): Promise<{ code?: string | undefined }>
  move(booking: Booking, slot: Slot): Promise<{ code?: string | undefined }>
}
const byDesk = (desk: Desk): Way => ({
  cancel: ({ id }) => desk.cancel(id),
  move: ({ id }, slot) => desk.reschedule(id, slot),
})
const urlOf = ({ id }: Booking, name: 'cancel' | 'move') =>
  pageUrl('https://book.example', runtime.tag, { id, record: {} }, name)
const sent = async (booking: Booking, name: 'cancel' | 'move', form: Record<string, string>) => {
  // The page leads back to the booking whether or not the rule refused it.
  expect((await page.send(urlOf(booking, name), form)).status).toBeLessThan(500)
  return {}
}
const ways: Record<string, Way> = {
  REST: byDesk(rest),
  MCP: byDesk(mcp),
  'the page': {
    cancel: (booking) => sent(booking, 'cancel', { terms: terms.cancel }),
    move: (booking, slot) => sent(booking, 'move', { slot: slot.id, terms: terms.move }),
  },
}

interface Rule {
  rule: string
  act: keyof Way
  id: string
  /** The error code over REST and MCP. */
  code: string
  /** Happens after a person has opened the form of a page, and before they send it. */
  meanwhile?(made: Awaited<ReturnType<typeof booked>>): Promise<unknown>
}

const begins = async ({ booking }: { booking: Booking }) => {
  shop.time.now = new Date(booking.slot.start)
}
const rules: Rule[] = [
  {
    rule: 'a booking that has begun',
    act: 'cancel',
    id: 'svc_open',
    code: 'cancellation_not_allowed',
    meanwhile: begins,
  },
  { rule: 'a booking that has begun', act: 'move', id: 'svc_open', code: 'reschedule_not_allowed', meanwhile: begins },
  { rule: 'what its terms forbid', act: 'cancel', id: 'svc_firm', code: 'cancellation_not_allowed' },
  { rule: 'what its terms forbid', act: 'move', id: 'svc_firm', code: 'reschedule_not_allowed' },
  {
    ...{ rule: 'more often than its terms allow', act: 'move', id: 'svc_open', code: 'reschedule_limit_reached' },
    meanwhile: ({ booking, third }) => rest.reschedule(booking.id, third),
  },
  {
    ...{ rule: 'a booking that is canceled', act: 'move', id: 'svc_open', code: 'invalid_transition' },
    meanwhile: ({ booking }) => rest.cancel(booking.id),
  },
  {
    ...{ rule: 'to a time that somebody has taken', act: 'move', id: 'svc_open', code: 'slot_unavailable' },
    meanwhile: ({ other }) => rest.book(other, {}, { as: shop.other }),
  },
  {
    ...{ rule: 'to a time that is too near by now', act: 'move', id: 'svc_open', code: 'booking_window_violated' },
    async meanwhile({ other }) {
      shop.time.now = new Date(Date.parse(other.start) - 60 * 60_000)
    },
  },
]

describe.each(Object.entries(ways))('[each way in keeps the rules] by %s', (name, way) => {
  test('what no rule forbids is done', async () => {
    const { booking, other } = await booked('svc_open')
    await way.move(booking, other)
    expect(await now(booking)).toEqual({ status: 'confirmed', start: other.start })
    await way.cancel(booking)
    expect((await now(booking)).status).toBe('canceled')
  })

  test.each(rules)('$act: $rule is refused', async ({ act, id, code, meanwhile }) => {
    const made = await booked(id)
    await meanwhile?.(made)
    const before = await now(made.booking)
    const said = await way[act](made.booking, made.other)
    expect(await now(made.booking)).toEqual(before)
    if (name !== 'the page') expect(said.code).toBe(code)
  })
})

/** Books a time for a party. */
type Book = (slot: Slot, party: number, buyer: Record<string, string>) => Promise<unknown>

const ofService = (slot: Slot, party: number) => ({ service_id: slot.service_id, slot_id: slot.id, party_size: party })
const someone = visitor(shop)
const waysToBook: Record<string, (slot: Slot, party: number) => Promise<Book>> = {
  REST: async () => (slot, party_size, buyer) => rest.book(slot, { party_size, buyer }),
  MCP: async () => (slot, party_size, buyer) => mcp.book(slot, { party_size, buyer }),
  'the staff': async () => (slot, party, buyer) =>
    rest.call('usp_business_bookings_create', { ...ofService(slot, party), buyer }, { as: shop.staff }),
  // The page of times is open before, so that it shows what can no longer be had.
  'the page': async (shown, party) => {
    const times = await someone.open(`/book/${shown.service_id}?day=${shown.start.slice(0, 10)}&party=${party}`)
    return async (slot, _, { phone_number = '', ...buyer }) => {
      const time = `${Date.parse(slot.start)}-${Date.parse(slot.end)}`
      const held = await someone.press(times, time)
      if (held.status === 303) await someone.fill(held.headers.location ?? '', { ...buyer, phone: phone_number })
    }
  },
}
const { phone, ...rosa } = ROSA
const buyer: Record<string, string> = { ...rosa, phone_number: '+12125550143' }

interface RuleOfBooking {
  rule: string
  id: string
  party?: number
  buyer?: Record<string, string>
  meanwhile?(slot: Slot): Promise<unknown>
}
const rulesOfBooking: RuleOfBooking[] = [
  {
    ...{ rule: 'a time that somebody has booked', id: 'svc_open' },
    meanwhile: (slot) => rest.book(slot, {}, { as: shop.other }),
  },
  {
    ...{ rule: 'a time that somebody holds', id: 'svc_open' },
    // A platform of its own each time: none may hold many.
    meanwhile: async (slot) => rest.hold(slot, {}, { as: await shop.newPlatform() }),
  },
  {
    ...{ rule: 'more places of a class than are left', id: 'svc_class', party: 2 },
    meanwhile: (slot) => rest.book(slot, {}, { as: shop.other }),
  },
  { rule: 'an address to which no mail goes', id: 'svc_open', buyer: { ...buyer, email: 'v@x>' } },
  { rule: 'a number that is no phone number', id: 'svc_open', buyer: { ...buyer, phone_number: 'call me' } },
]

describe.each(Object.entries(waysToBook))('[each way in keeps the rules] booked by %s', (_, openWay) => {
  const count = async () => (await runtime.db.selectFrom('bookings').select('id').execute()).length
  const free = async (id: string) => {
    shop.time.now = START
    return (await rest.slots(id, { start_date: '2026-11-24', end_date: '2026-12-20', limit: 200 })).find(
      ({ capacity }) => capacity === undefined || capacity.remaining === 2,
    )
  }

  test.each(['svc_open', 'svc_class'])('%s is booked where no rule forbids it', async (id) => {
    const slot = await free(id)
    const [before, book] = [await count(), await openWay(slot, 1)]
    await book(slot, 1, buyer)
    expect(await count()).toBe(before + 1)
  })

  test.each(rulesOfBooking)('$rule is refused', async ({ id, party = 1, buyer: wrong = buyer, meanwhile }) => {
    const slot = await free(id)
    const book = await openWay(slot, party)
    await meanwhile?.(slot)
    const before = await count()
    await book(slot, party, wrong)
    expect(await count()).toBe(before)
  })
})
