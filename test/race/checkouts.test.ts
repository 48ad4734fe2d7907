import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { applyDefinition } from '../../src/domain/definition/apply-definition.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import type { Slot } from '../support/desk.ts'
import { generousLimits } from '../support/generous-limits.ts'
import { testPlatform } from '../support/platform.ts'
import { stripeStandIn } from '../support/stripe.ts'
import { codes } from '../ucp-checkouts/both-bindings.ts'
import { instrument } from '../ucp-checkouts/paid-shop.ts'
import {
  sendOverUcp,
  type UcpAnswer,
  type UcpBinding,
  type UcpCall,
  type UcpCaller,
} from '../ucp-checkouts/ucp-bindings.ts'
import { alice, paid, ucpDefinition, ucpPlatform } from '../ucp-checkouts/ucp-shop.ts'
import { startServers } from './servers.ts'

const PRICE = 12_000

const url = await freshDatabase()
const db = openDatabase(url, 3, () => {})
const definition = ucpDefinition([paid], { payments: { provider: 'stripe' }, limits: generousLimits })
await applyDefinition(db, definition, new Date())
const stripe = await stripeStandIn()
const account = { STRIPE_NETWORK_ID: 'profile_swordfish', STRIPE_ACCOUNT_ID: 'acct_swordfish' }
const servers = await startServers(url, 2, { ...stripe.env, ...account })
afterAll(async () => {
  await servers.stop()
  await db.destroy()
})
afterEach(() => {
  stripe.beforeAnswer = async () => {}
})

async function newPlatform(name: string): Promise<UcpCaller> {
  const platform = await testPlatform()
  platform.profile = ucpPlatform()
  const { key } = await addClient(db, name, new Date())
  return { profile: platform.url, bearer: key }
}

/** A platform that sends all calls to one server over one binding. */
function callsOf(as: UcpCaller, origin: string, binding: UcpBinding) {
  const raw: Parameters<(typeof sendOverUcp)['REST']>[0] = async ({ method, url, headers, payload }) => {
    const answer = await fetch(`${origin}${url}`, {
      ...(method && { method }),
      headers: headers as Record<string, string>,
      ...(payload && { body: String(payload) }),
    })
    return { status: answer.status, headers: {}, body: await answer.json() }
  }
  const send = (method: UcpCall['method'], path: string, body?: object, key: string = randomUUID()) =>
    sendOverUcp[binding](raw, { method, path: `/checkout-sessions${path}`, body, as, key })
  return {
    create: (slot: Slot) => send('POST', '', requestOf(slot)),
    get: (id: string) => send('GET', `/${id}`),
    renew: (id: string, slot: Slot) => send('PUT', `/${id}`, requestOf(slot)),
    pay: (id: string, token = stripe.grant().id, key?: string) =>
      send('POST', `/${id}/complete`, instrument(token), key),
  }
}

const requestOf = (slot: Slot) => ({
  line_items: [{ item: { id: slot.service_id }, quantity: 1 }],
  buyer: alice,
  booking: { service_id: slot.service_id, service_type: 'appointment', slot },
})

const [one = '', other = ''] = servers.origins
const [firstPlatform, secondPlatform] = [await newPlatform('One'), await newPlatform('Other')]
const a = callsOf(firstPlatform, one, 'REST')
const b = callsOf(secondPlatform, other, 'MCP')

const dayAfter = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString().slice(0, 10)

async function freeSlots(): Promise<Slot[]> {
  const answer = await fetch(`${one}/usp/v1/availability/query`, {
    method: 'POST',
    headers: {
      'usp-agent': `profile="${firstPlatform.profile}"`,
      authorization: `Bearer ${firstPlatform.bearer}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ service_id: paid.id, start_date: dayAfter(2), end_date: dayAfter(13), limit: 200 }),
  })
  return (await answer.json()).slots
}

async function anySlot(): Promise<Slot> {
  const slots = await freeSlots()
  return slots[Math.floor(Math.random() * slots.length)]
}

async function opened(platform: typeof a, slot: Slot) {
  const { body } = await platform.create(slot)
  expect([body.status, body.booking.booking_status]).toEqual(['ready_for_complete', 'pending'])
  return body
}

/** Ends the hold of a checkout. The servers use the real time, so the deadlines move, and not the clock. */
async function lapse({ id, booking: { hold_id } }: { id: string; booking: { hold_id: string } }) {
  const past = new Date(Date.now() - 1_000)
  await db.updateTable('holds').set({ expires_at: past }).where('id', '=', hold_id).execute()
  await db.updateTable('claims').set({ expires_at: past }).where('holder_id', '=', hold_id).execute()
  await db.updateTable('ucp_checkouts').set({ expires_at: past }).where('id', '=', id).execute()
}

interface Opened {
  id: string
  booking: { booking_id: string }
}

const takenFor = ({ booking }: Opened) =>
  stripe.intents
    .filter(({ metadata }) => metadata.booking === booking.booking_id)
    .reduce((sum, { amount_received }) => sum + amount_received, 0)
const chargesOf = async ({ id }: Opened) =>
  (await db.selectFrom('ucp_charges').select('status').where('checkout_id', '=', id).execute()).map(
    ({ status }) => status,
  )
const bookingOf = ({ booking }: Opened) =>
  db.selectFrom('bookings').select(['id', 'status']).where('id', '=', booking.booking_id).execute()

async function expectOutcome(checkout: Opened, isBooked: boolean) {
  const booked = [{ id: checkout.booking.booking_id, status: 'confirmed' }]
  expect([takenFor(checkout), await chargesOf(checkout), await bookingOf(checkout)]).toEqual(
    isBooked ? [PRICE, ['booked'], booked] : [0, [], []],
  )
}

const expectSound = async () => expect((await verify(db, new Date())).findings.listed).toEqual([])
const told = ({ status, body }: UcpAnswer) => [status, body.status, body.booking?.booking_status, codes(body)]

describe('[LIV-112] [LIV-118] vector 101: holds lapse before two completions, one over REST and one over MCP, each on a server of its own', () => {
  test('both get hold_expired and charge nothing; then both hold the slot again, and one pays', async () => {
    for (let round = 0; round < 5; round++) {
      const slot = await anySlot()
      const first = await opened(a, slot)
      await lapse(first)
      const second = await opened(b, slot)
      await lapse(second)
      const asked = stripe.asked.length
      const late = await Promise.all([a.pay(first.id), b.pay(second.id)])
      const expired = [200, 'incomplete', 'pending', ['hold_expired']]
      expect(late.map(told)).toEqual([expired, expired])
      expect(stripe.asked.length).toBe(asked)
      expect((await freeSlots()).map(({ id }) => id)).toContain(slot.id)

      const renewed = async (platform: typeof a, id: string) => {
        const update = await platform.renew(id, slot)
        return { update, paid: await platform.pay(id) }
      }
      const ends = await Promise.all([renewed(a, first.id), renewed(b, second.id)])
      const isFirst = ends[0].paid.body.status === 'completed'
      const [winner, loser] = isFirst ? ends : [ends[1], ends[0]]
      expect(told(winner.paid)).toEqual([200, 'completed', 'confirmed', []])
      expect(codes(loser.update.body)).toEqual(['slot_unavailable'])
      expect(told(loser.paid)).toEqual([200, 'incomplete', 'pending', ['slot_unavailable']])
      await expectOutcome(first, isFirst)
      await expectOutcome(second, !isFirst)
    }
    await expectSound()
  }, 120_000)

  test('a completion with a lapsed hold charges nothing while another buyer opens a checkout for the slot', async () => {
    for (let round = 0; round < 5; round++) {
      const slot = await anySlot()
      const [mine, others] = round % 2 === 0 ? [a, b] : [b, a]
      const first = await opened(mine, slot)
      await lapse(first)
      const [late, second] = await Promise.all([mine.pay(first.id), opened(others, slot)])
      expect(late.body.status).toBe('incomplete')
      expect([['hold_expired'], ['slot_unavailable']]).toContainEqual(codes(late.body))
      const [again, completed] = await Promise.all([mine.pay(first.id), others.pay(second.id)])
      expect(told(again)).toEqual([200, 'incomplete', 'pending', ['slot_unavailable']])
      expect(told(completed)).toEqual([200, 'completed', 'confirmed', []])
      await expectOutcome(first, false)
      await expectOutcome(second, true)
    }
    await expectSound()
  }, 120_000)
})

describe('[LIV-113] [LIV-114] [LIV-115] [LIV-116] vector 104: Stripe takes the money, and no server can write the booking', () => {
  /** The database refuses each new booking meanwhile. */
  const whileRefused = async (work: () => Promise<void>) => {
    await sql`create function refuse_booking() returns trigger language plpgsql as $$
      begin raise exception 'the calendar rejects the write'; end $$`.execute(db)
    await sql`create trigger refuse_booking before insert on bookings
      for each row execute function refuse_booking()`.execute(db)
    try {
      await work()
    } finally {
      await sql`drop function refuse_booking() cascade`.execute(db)
    }
  }

  test.each([
    ['one key', (key: string) => key],
    ['different keys', () => randomUUID()],
  ])(
    'completions at once with %s over REST and MCP charge once, and both tell the booking after it is written',
    async (_, keyOfOther) => {
      const slot = await anySlot()
      const first = await opened(a, slot)
      const [token, key] = [stripe.grant().id, randomUUID()]
      // The same platform calls one server over REST and the other one over MCP.
      const overRest = a
      const overMcp = callsOf(firstPlatform, other, 'MCP')
      const otherKey = keyOfOther(key)
      const both = () => Promise.all([overRest.pay(first.id, token, key), overMcp.pay(first.id, token, otherKey)])
      await whileRefused(async () => {
        for (const { body } of await both())
          expect(['server_error', 'complete_in_progress']).toContain(body.ucp ? body.status : body.code)
        expect([takenFor(first), await bookingOf(first)]).toEqual([PRICE, []])
        for (let read = 0; read < 10; read++) {
          const answers = await Promise.all([overRest.get(first.id), overMcp.get(first.id)])
          for (const { body } of answers) {
            expect([body.status, body.booking.booking_status]).toEqual(['complete_in_progress', 'pending'])
            expect(body).not.toHaveProperty('order')
          }
          await both()
        }
        const hold = db.selectFrom('holds').select('status').where('id', '=', first.booking.hold_id)
        expect(await hold.execute()).toEqual([{ status: 'active' }])
        expect([takenFor(first), stripe.refunds.length]).toEqual([PRICE, 0])
      })
      // The failed request leased the charge for the time in which it asks Stripe. The test does not wait for its end.
      await db.updateTable('ucp_charges').set({ leased_until: null }).execute()
      await both()
      await expect.poll(async () => (await overRest.get(first.id)).body.status).toBe('completed')
      for (const { status, body } of await both())
        expect([status, body.status, body.booking.booking_status]).toEqual([200, 'completed', 'confirmed'])
      await expectOutcome(first, true)
      expect(stripe.refunds).toEqual([])
      await expectSound()
    },
    120_000,
  )
})
