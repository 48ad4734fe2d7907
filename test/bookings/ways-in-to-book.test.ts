import { describe, expect, test } from 'vitest'
import { daily, EVERY_DAY } from '../availability/week.ts'
import { ROSA } from '../booking-flow/visitor.ts'
import { businessWith, service } from '../support/definitions.ts'
import type { Said, Slot } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { openInterfaces, refusalBy, resultOfForm, resultOfTool } from './ways.ts'

/* Each rule of booking is run through each way in. A way is a row of `ways`, a rule a row of `rules`. */

const definition = businessWith(
  [
    service('svc_open', { capacity: { max: 4 } }),
    service('svc_class', {
      type: 'group',
      capacity: { max: 2 },
      sessions: [{ days: [...EVERY_DAY], starts: '10:00' }],
    }),
  ],
  { hours: daily('09:00', '18:00') },
)
const { shop, rest, mcp, buyerAtPage, assistant, sendAtDesk } = await openInterfaces(definition)
const { db } = shop.runtime

/** Books a time for a party. */
type Book = (slot: Slot, party: number, buyer: Record<string, string>) => Promise<string | undefined>

const ofService = (slot: Slot, party: number) => ({ service_id: slot.service_id, slot_id: slot.id, party_size: party })
const codeOf = async (answer: Promise<Said>) => (await answer).code

const ways: Record<string, (slot: Slot, party: number) => Promise<Book>> = {
  REST: async () => (slot, party_size, buyer) => codeOf(rest.book(slot, { party_size, buyer })),
  MCP: async () => (slot, party_size, buyer) => codeOf(mcp.book(slot, { party_size, buyer })),
  // The page of times is open before, so that it shows times that are gone by then.
  'the page': async (shown, party) => {
    const times = await buyerAtPage.open(`/book/${shown.service_id}?day=${shown.start.slice(0, 10)}&party=${party}`)
    return async (slot, _, { phone_number = '', ...buyer }) => {
      const held = await buyerAtPage.press(times, `${Date.parse(slot.start)}-${Date.parse(slot.end)}`)
      if (held.status !== 303) return resultOfForm(held)
      return resultOfForm(await buyerAtPage.fill(held.headers.location ?? '', { ...buyer, phone: phone_number }))
    }
  },
  'the assistant':
    async () =>
    async ({ id: slot_id }, party_size, { email: _, phone_number = '', ...name }) =>
      resultOfTool(await assistant.call('book', { slot_id, party_size, person: { ...name, phone: phone_number } })),
  'the staff over REST': async () => (slot, party, buyer) =>
    codeOf(rest.call('usp_business_bookings_create', { ...ofService(slot, party), buyer }, { as: shop.staff })),
  'the desk': async () => async (slot, _, buyer) =>
    resultOfForm(await sendAtDesk('/desk/book', { service: slot.service_id, slot: slot.id, ...buyer })),
}
const { phone: _, ...rosa } = ROSA
const usual: Record<string, string> = { ...rosa, phone_number: '+12125550143' }

interface Rule {
  rule: string
  id: string
  /** The error code over REST and MCP. */
  code: string
  party?: number
  buyer?: Record<string, string>
  /** Happens after a person has opened the page, and before they book. */
  meanwhile?(slot: Slot): Promise<unknown>
  /** Ways of the staff, who may set this rule aside. */
  doesNotBind?: readonly string[]
  /** Ways in which nobody can ask for this. */
  cannotBeSentBy?: readonly string[]
}

const STAFF = ['the staff over REST', 'the desk']
const minutesBefore =
  (minutes: number) =>
  async ({ start }: Slot) => {
    shop.time.now = new Date(Date.parse(start) - minutes * 60_000)
  }
const rules: Rule[] = [
  {
    rule: 'a time that another buyer has booked',
    id: 'svc_open',
    code: 'slot_unavailable',
    meanwhile: (slot) => rest.book(slot, {}, { as: shop.other }),
  },
  {
    rule: 'a time that another buyer holds',
    id: 'svc_open',
    code: 'slot_unavailable',
    // A platform of its own each time: none may hold many.
    meanwhile: async (slot) => rest.hold(slot, {}, { as: await shop.newPlatform() }),
  },
  {
    rule: 'a class without a free place',
    id: 'svc_class',
    code: 'slot_unavailable',
    meanwhile: (slot) => rest.book(slot, { party_size: 2 }, { as: shop.other }),
  },
  {
    rule: 'more places of a class than are left',
    id: 'svc_class',
    party: 2,
    code: 'capacity_exceeded',
    // The form of the desk books one place.
    cannotBeSentBy: ['the desk'],
    meanwhile: (slot) => rest.book(slot, {}, { as: shop.other }),
  },
  {
    rule: 'a party larger than the class',
    id: 'svc_class',
    party: 3,
    code: 'capacity_exceeded',
    // The page offers no party of this size, and books for one instead.
    cannotBeSentBy: ['the page', 'the desk'],
  },
  {
    rule: 'a time that is too near by now',
    id: 'svc_open',
    code: 'booking_window_violated',
    doesNotBind: STAFF,
    meanwhile: minutesBefore(60),
  },
  {
    rule: 'a time that is past by now',
    id: 'svc_open',
    code: 'booking_window_violated',
    // The forms of the desk send the override of the booking window, so that the staff can enter a walk-in afterwards.
    doesNotBind: ['the desk'],
    meanwhile: minutesBefore(-10),
  },
  {
    rule: 'an address to which no mail goes',
    id: 'svc_open',
    code: 'validation_error',
    buyer: { ...usual, email: 'v@x>' },
    // An assistant books with the address of its account.
    cannotBeSentBy: ['the assistant'],
  },
  {
    rule: 'a number that is no phone number',
    id: 'svc_open',
    code: 'validation_error',
    buyer: { ...usual, phone_number: 'call me' },
  },
  {
    rule: 'a first name without a visible character',
    id: 'svc_open',
    code: 'validation_error',
    buyer: { ...usual, first_name: ' ' },
  },
]

describe.each(Object.entries(ways))('[each way in keeps the rules] booked by %s', (name, openWay) => {
  const count = async () => (await db.selectFrom('bookings').select('id').execute()).length
  const free = async (id: string) => {
    shop.time.now = START
    return (await rest.slots(id, { start_date: '2026-11-24', end_date: '2026-12-20', limit: 200 })).find(
      ({ capacity }) => capacity === undefined || capacity.remaining === 2,
    )
  }
  /** How many bookings there are more after this, and the result. The page is open for no longer than its form is valid. */
  const act = async ({ id, party = 1, buyer = usual, meanwhile }: Omit<Rule, 'rule' | 'code'>) => {
    const slot = await free(id)
    await minutesBefore(150)(slot)
    const book = await openWay(slot, party)
    await meanwhile?.(slot)
    const before = await count()
    const result = await book(slot, party, buyer)
    return { more: (await count()) - before, result }
  }
  const binds = ({ doesNotBind = [] }: Rule) => !doesNotBind.includes(name)
  const possible = rules.filter(({ cannotBeSentBy = [] }) => !cannotBeSentBy.includes(name))

  test.each(['svc_open', 'svc_class'])('%s is booked where no rule forbids it', async (id) => {
    expect((await act({ id })).more).toBe(1)
  })

  test.each(possible.filter(binds))('$rule is refused', async (rule) => {
    expect(await act(rule)).toEqual({ more: 0, result: refusalBy(name, rule.code) })
  })

  test.each(possible.filter((rule) => !binds(rule)))('$rule is booked by the staff', async (rule) => {
    expect((await act(rule)).more).toBe(1)
  })
})
