import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { restDesk } from '../support/desk.ts'
import { returnAllByHand, tokenShop } from './paid-shop.ts'

const shop = await tokenShop()
const { stripe } = shop

const codes = (body: { messages?: { code: string }[] }) => (body.messages ?? []).map(({ code }) => code)
const statuses = async (id: string) => (await shop.charges(id)).map(({ status }) => status)
const status = async (id: string) => (await shop.get(id)).body.status

beforeEach(() => {
  stripe.beforeAnswer = async () => {}
})

/** While the provider takes the money, the platform releases the hold, and another checkout takes the slot. */
async function payWhileLosing(checkout: { id: string; booking: { hold_id: string } }, slot: unknown) {
  stripe.beforeAnswer = async ({ path }) => {
    if (!path.endsWith('/confirm')) return
    stripe.beforeAnswer = async () => {}
    await restDesk(shop).release(checkout.booking.hold_id, { as: shop.ucp })
    expect((await shop.create(slot)).status).toBe(201)
  }
  return (await shop.pay(checkout.id, stripe.grant())).body
}

/** A checkout whose first payment went back, because its slot was lost. */
async function returned() {
  const slot = await shop.lastSlot()
  const { body } = await shop.create(slot)
  expect(codes(await payWhileLosing(body, slot))).toEqual(['slot_unavailable'])
  expect(await statuses(body.id)).toEqual(['reversed'])
  return body.id
}

/** The bank rejects the return of the first payment. */
async function rejectReturn(id: string) {
  const [charge] = await shop.charges(id)
  const metadata = { refund: `${charge?.id}_reversal` }
  const failed = { object: 'refund', status: 'failed', failure_reason: 'expired_or_canceled_card', metadata }
  expect((await stripe.notify(shop, 'refund.failed', failed)).status).toBe(200)
}

/** The business returns the money by hand, so that the next test finds sound accounts. */
const returnByHand = () => returnAllByHand(shop)

describe('a return that the bank rejects late', () => {
  test('leaves a checkout alone that another payment is buying', async () => {
    const id = await returned()
    const before = shop.kept()
    await shop.update(id, shop.request(await shop.lastSlot()))
    shop.minutesLater(1)
    expect((await shop.pay(id, stripe.grant({ card: 'asks_buyer' }))).body.status).toBe('requires_escalation')
    await rejectReturn(id)
    expect(await status(id)).toBe('requires_escalation')
    const intent = stripe.confirmAtBank(stripe.intents.at(-1))
    expect((await shop.tell(intent)).status).toBe(200)
    expect([await status(id), await statuses(id), shop.kept() - before]).toEqual([
      'completed',
      ['unreturned', 'booked'],
      12_000,
    ])
    await returnByHand()
  })

  test('cancels the checkout if the other payment fails', async () => {
    const id = await returned()
    await shop.update(id, shop.request(await shop.lastSlot()))
    shop.minutesLater(1)
    await shop.pay(id, stripe.grant({ card: 'asks_buyer' }))
    await rejectReturn(id)
    const intent = stripe.confirmAtBank(stripe.intents.at(-1), false)
    await shop.tell(intent, 'payment_intent.payment_failed')
    shop.minutesLater(16)
    await shop.reconcile()
    expect([await status(id), await statuses(id)]).toEqual(['canceled', ['unreturned', 'failed']])
    await returnByHand()
  })

  test('cancels an open checkout', async () => {
    const id = await returned()
    await rejectReturn(id)
    const { body } = await shop.get(id)
    expect([body.status, codes(body)]).toEqual(['canceled', ['slot_unavailable']])
    expect((await shop.pay(id, stripe.grant())).body.status).toBe('canceled')
    expect(await statuses(id)).toEqual(['unreturned'])
    await returnByHand()
  })
})

test('money for a checkout that has ended goes back', async () => {
  const { body } = await shop.create(await shop.lastSlot())
  const before = shop.kept()
  await shop.pay(body.id, stripe.grant({ card: 'asks_buyer' }))
  await shop.runtime.db.updateTable('ucp_checkouts').set({ status: 'canceled' }).where('id', '=', body.id).execute()
  const intent = stripe.confirmAtBank(stripe.intents.at(-1))
  expect((await shop.tell(intent)).status).toBe(200)
  await shop.reconcile()
  expect([await statuses(body.id), shop.kept() - before]).toEqual([['reversed'], 0])
})

test('payments that go back count like failed ones', async () => {
  const slot = await shop.lastSlot()
  const { body } = await shop.create(slot)
  await shop.pay(body.id, stripe.grant({ card: 'declined' }))
  await shop.runtime.db
    .updateTable('ucp_charges')
    .set({ status: 'reversed' })
    .where('checkout_id', '=', body.id)
    .execute()
  for (let tries = 0; tries < 4; tries++) await shop.pay(body.id, stripe.grant({ card: 'declined' }))
  const asked = stripe.asked.length
  expect(codes((await shop.pay(body.id, stripe.grant())).body)).toEqual(['payment_failed'])
  expect(stripe.asked.length).toBe(asked)
})

test('a slot stays held for a buyer at the bank, but not by one payment after the other', async () => {
  const { body } = await shop.create(await shop.lastSlot())
  const begun = shop.time.now.getTime()
  let held = 0
  for (let tries = 0; tries < 5; tries++) {
    const paid = shop.time.now.getTime()
    const { status: answered, expires_at } = (await shop.pay(body.id, stripe.grant({ card: 'asks_buyer' }))).body
    if (answered !== 'requires_escalation') break
    for (let polls = 0; polls < 8; polls++) await shop.reconcile()
    const hold = shop.runtime.db.selectFrom('holds').select('expires_at').where('id', '=', body.booking.hold_id)
    held = Number((await hold.executeTakeFirst())?.expires_at) - begun
    expect(Date.parse(expires_at)).toBe(Math.floor(paid / 1000) * 1000 + 15 * 60_000)
  }
  expect(held / 60_000).toBeLessThan(60)
}, 60_000)

test('a key is used for one checkout only, also after its payment has ended', async () => {
  const [one, other] = [
    (await shop.create(await shop.lastSlot())).body,
    (await shop.create(await shop.lastSlot())).body,
  ]
  const key = randomUUID()
  await shop.pay(one.id, stripe.grant({ card: 'declined' }), key)
  await shop.runtime.db.deleteFrom('replies').execute()
  expect((await shop.pay(other.id, stripe.grant(), key)).status).toBe(409)
})

test('usp verify names a checkout that waits for no payment and is not open either, but none that waits for the bank', async () => {
  const waiting = (await shop.create(await shop.lastSlot())).body
  expect((await shop.pay(waiting.id, stripe.grant({ card: 'asks_buyer' }))).body.status).toBe('requires_escalation')
  const { body } = await shop.create(await shop.lastSlot())
  const set = (to: 'completing' | 'open') =>
    shop.runtime.db
      .updateTable('ucp_checkouts')
      .set({ status: to })
      .where('id', '=', body.id)
      .returning('order_id')
      .executeTakeFirstOrThrow()
  const { order_id } = await set('completing')
  const { findings } = await verify(shop.runtime.db, shop.time.now)
  expect(findings.listed).toEqual([`order ${order_id} waits for a charge, but has none.`])
  await set('open')
})
