import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { mcpDesk, restDesk } from '../support/desk.ts'
import { tableContents } from '../support/table-contents.ts'
import { tokenShop } from '../ucp-checkouts/paid-shop.ts'
import { free, paid, spot, UCP_BINDINGS, ucpDefinition } from '../ucp-checkouts/ucp-shop.ts'

/** The published vectors of flows with a checkout. 106 and 107 are in test/ucp-checkouts/deposit.test.ts. */
const shop = await tokenShop()
const { stripe } = shop
const { db } = shop.runtime

const codes = (body: { messages?: { code: string }[] }) => (body.messages ?? []).map(({ code }) => code)
const bookingsOf = (id: string) => db.selectFrom('bookings').select('id').where('id', '=', id).execute()

test('[LIV-059] [LIV-112] vector 101: a hold that lapses during the checkout charges nothing, and its slot can be held again', async () => {
  const slot = await shop.lastSlot()
  const { body } = await shop.create(slot)
  expect([body.status, body.booking.booking_status]).toEqual(['ready_for_complete', 'pending'])
  shop.time.now = new Date(Date.parse(body.expires_at) + 60_000)
  const asked = stripe.asked.length
  const late = await shop.pay(body.id, stripe.grant())
  expect([late.status, late.body.status, late.body.booking.booking_status]).toEqual([200, 'incomplete', 'pending'])
  expect([codes(late.body), stripe.asked.length]).toEqual([['hold_expired'], asked])
  expect(await bookingsOf(body.booking.booking_id)).toEqual([])
  const free = await restDesk(shop).slots('svc_paid')
  expect(free.map(({ id }) => id)).toContain(slot.id)
  const { body: renewed } = await shop.update(body.id, shop.request(slot))
  expect(renewed.booking.hold_id).not.toBe(body.booking.hold_id)
  expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
  await shop.expectSound()
})

describe('[LIV-113] [LIV-114] vector 104: the provider takes the money, and the booking cannot be written', () => {
  /** The database refuses each new booking meanwhile. */
  const whileRefused = async <T>(work: () => Promise<T>): Promise<T> => {
    await sql`create function refuse_booking() returns trigger language plpgsql as $$
      begin raise exception 'the calendar rejects the write'; end $$`.execute(db)
    await sql`create trigger refuse_booking before insert on bookings
      for each row execute function refuse_booking()`.execute(db)
    try {
      return await work()
    } finally {
      await sql`drop function refuse_booking() cascade`.execute(db)
    }
  }

  test('the server writes the booking until it succeeds, and never reports it before', async () => {
    const { body } = await shop.create(await shop.lastSlot())
    const [token, key, before] = [stripe.grant(), randomUUID(), shop.kept()]
    await whileRefused(async () => {
      const failed = await shop.pay(body.id, token, key)
      expect([failed.status, shop.kept() - before]).toEqual([500, 12_000])
      const { body: open } = await shop.get(body.id)
      expect([open.status, open.booking.booking_status]).toEqual(['complete_in_progress', 'pending'])
      await shop.reconcile()
      expect((await shop.get(body.id)).body.status).toBe('complete_in_progress')
      const hold = db.selectFrom('holds').select('status').where('id', '=', body.booking.hold_id)
      expect(await hold.execute()).toEqual([{ status: 'active' }])
    })
    await shop.reconcile()
    expect((await shop.get(body.id)).body.status).toBe('completed')
    const again = await shop.pay(body.id, token, key)
    expect([again.body.status, again.body.booking.booking_status]).toEqual(['completed', 'confirmed'])
    expect(shop.kept() - before).toBe(12_000)
    await shop.expectSound()
  }, 30_000)

  test('a repeat with the same key settles it too, and charges once', async () => {
    const { body } = await shop.create(await shop.lastSlot())
    const [token, key, before] = [stripe.grant(), randomUUID(), shop.kept()]
    await whileRefused(() => shop.pay(body.id, token, key))
    await db.updateTable('ucp_charges').set({ leased_until: null }).execute()
    const again = await shop.pay(body.id, token, key)
    expect([again.body.status, await bookingsOf(body.booking.booking_id)]).toEqual(['completed', [expect.anything()]])
    expect(shop.kept() - before).toBe(12_000)
    await shop.expectSound()
  }, 30_000)
})

describe.each(UCP_BINDINGS)('vector 105, with the checkout and the staff over %s', async (binding) => {
  const asked = { ...free, id: 'svc_asked', policies: { ...free.policies, confirmation_mode: 'manual' as const } }
  const definition = ucpDefinition([free, spot, paid, asked], { payments: { provider: 'stripe' } })
  const shop = await tokenShop(definition, { binding })
  const { stripe } = shop
  const { db } = shop.runtime
  const desk = binding === 'REST' ? restDesk(shop) : mcpDesk(shop)
  const opened = async (service?: string) => (await shop.create(await shop.lastSlot(service))).body
  const refused = { status: 200, rpc: undefined, code: 'invalid_transition' }

  test.each(['svc_paid', 'svc_spot', 'svc_free', 'svc_asked'])(
    '[LIV-070] [BKG-075] the business cannot confirm the booking of a checkout of %s that is not completed',
    async (service) => {
      const body = await opened(service)
      expect([body.status, body.booking.booking_status]).toEqual(['ready_for_complete', 'pending'])
      const before = await tableContents(db)
      expect(await desk.confirm(body.booking.booking_id)).toMatchObject(refused)
      expect(await tableContents(db)).toEqual(before)
      expect((await shop.get(body.id)).body).toEqual(body)
    },
  )

  test('[LIV-070] [LIV-114] nor while the payment is taken; after the completion, the confirmed booking is the answer', async () => {
    const { id, booking } = await opened('svc_paid')
    let during: unknown
    stripe.beforeAnswer = async ({ path }) => {
      if (path.endsWith('/confirm')) during = await desk.confirm(booking.booking_id)
    }
    expect((await shop.pay(id, stripe.grant())).body.status).toBe('completed')
    stripe.beforeAnswer = async () => {}
    expect(during).toMatchObject(refused)
    const before = await tableContents(db)
    expect((await desk.confirm(booking.booking_id)).data.booking.status).toBe('confirmed')
    expect(await tableContents(db)).toEqual(before)
  })

  test('[LIV-070] the business confirms the booking of a completed checkout if it approves each booking', async () => {
    const { id, booking } = await opened('svc_asked')
    expect((await shop.complete(id)).body.booking.booking_status).toBe('pending')
    expect((await desk.confirm(booking.booking_id)).data.booking.status).toBe('confirmed')
  })

  test('[LIV-070] a canceled checkout has no booking that could be confirmed', async () => {
    const { id, booking } = await opened()
    await shop.cancel(id)
    expect((await desk.confirm(booking.booking_id)).code).toBe('booking_not_found')
  })

  test('[LIV-107] the platform of the checkout is refused as for an unknown booking', async () => {
    const { id, booking } = await opened()
    const as = { as: shop.ucp }
    const said = await desk.confirm(booking.booking_id, {}, as)
    const unknown = await desk.confirm('bkg_none', {}, as)
    expect([said.status, said.rpc, said.code]).toEqual([unknown.status, unknown.rpc, unknown.code])
    expect(said.code).not.toBe('invalid_transition')
    expect((await shop.get(id)).body.status).toBe('ready_for_complete')
  })
})
