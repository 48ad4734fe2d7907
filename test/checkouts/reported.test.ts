import { describe, expect, test } from 'vitest'
import { mayReport } from '../../src/domain/checkouts/verify-payment-report.ts'
import type { Agent, Caller } from '../../src/protocol/caller-types.ts'
import { paidShop } from '../payments/shop.ts'
import { expectProblem, mcpDesk, restDesk } from '../support/desk.ts'
import { platformProfile, testKey } from '../support/platform.ts'

const { shop, stripe, booked, now, checkout } = await paidShop()
const desks = [restDesk(shop), mcpDesk(shop)]
const staffRead = async (id: string) =>
  (await restDesk(shop).call('usp_business_bookings_get', { booking_id: id }, { as: shop.staff })).data

describe.each(desks)('[payment through the provider is asked of the provider] over $binding', (desk) => {
  test('a report alone books nothing', async () => {
    const booking = await booked('svc_paid')
    const said = await desk.pay(booking)
    expect(said).toMatchObject({ status: 200, code: 'payment_not_received', severity: 'requires_buyer_input' })
    expect(said.data.messages[0]).toMatchObject({ path: '$.payment_result.transaction_id' })
    expect(await now(booking)).toEqual((({ page: _, ...rest }) => rest)(booking))
    await desk.cancel(booking.id)
  })

  test('nor does it while the buyer is still on the page', async () => {
    const booking = await booked('svc_deposit')
    await checkout(booking)
    expect((await desk.pay(booking)).code).toBe('payment_not_received')
    expect(await now(booking)).toMatchObject({ status: 'requires_action', revision: booking.revision })
    await desk.cancel(booking.id)
  })

  test('what the buyer paid there counts at once, under its own name', async () => {
    const booking = await booked('svc_paid')
    const { payment_intent } = stripe.pay(await checkout(booking))
    const said = await desk.pay(booking, { transaction_id: 'told' }, { ifMatch: booking.revision })
    expect(said.data).not.toHaveProperty('messages')
    expect(said.data.booking).toMatchObject({
      status: 'confirmed',
      payment: { status: 'paid', amount_due: 0, transaction_id: payment_intent },
    })
    expect((await desk.pay(booking)).code).toBe('already_confirmed')
  })

  test('what does not fit is refused before anybody is asked', async () => {
    const booking = await booked('svc_paid')
    stripe.pay(await checkout(booking))
    const before = stripe.asked.length
    expect((await desk.pay(booking, { amount_paid: 1 })).code).toBe('payment_amount_mismatch')
    expect((await desk.pay(booking, {}, { ifMatch: 'stale' })).code).toBe('revision_mismatch')
    expectProblem(await desk.pay(booking, {}, { as: shop.other }), 'booking_not_found')
    expect(stripe.asked.length).toBe(before)
    await desk.cancel(booking.id)
  })

  test('while the provider does not answer the report can be made again', async () => {
    const booking = await booked('svc_paid')
    const session = stripe.pay(await checkout(booking))
    stripe.mood = 'down'
    expect((await desk.pay(booking)).code).toBe('service_unavailable')
    stripe.mood = 'well'
    expect((await desk.pay(booking)).data.booking.payment.transaction_id).toBe(session.payment_intent)
  })
})

test('[payment through the provider is asked of the provider] also where the settings lack its key', async () => {
  const other = await paidShop()
  other.shop.runtime.payments.find = async () => undefined
  const booking = await other.booked('svc_paid')
  expect((await other.desk.pay(booking)).code).toBe('payment_not_received')
})

describe('[payments.collected_by] a platform that is trusted to collect', () => {
  test('sends texts with invisible characters, and nobody gets these', async () => {
    const { desk, booked, shop } = await paidShop({ collects: true })
    const hidden = '\u{e0049}\u{e0047}\u200b'
    const texts = { transaction_id: `txn${hidden}_2`, provider: `A${hidden}dyen\n`, order_reference: hidden }
    const booking = await booked('svc_paid')
    const { payment } = (await desk.pay(booking, texts)).data.booking
    expect(payment).toMatchObject({ status: 'paid', transaction_id: 'txn_2' })
    expect(payment).not.toHaveProperty('order_reference')
    const read = await desk.call('usp_business_bookings_get', { booking_id: booking.id }, { as: shop.staff })
    expect(JSON.stringify(read.data)).not.toMatch(/\u200b|\udb40/)
    const [row] = await shop.runtime.db
      .selectFrom('payments')
      .select(['reference', 'provider', 'order_reference'])
      .execute()
    expect(row).toEqual({ reference: 'txn_2', provider: 'Adyen', order_reference: null })
  })

  test('reports a payment, and the staff see who said so', async () => {
    const trusted = await paidShop({ collects: true })
    for (const desk of [restDesk(trusted.shop), mcpDesk(trusted.shop)]) {
      const booking = await trusted.booked('svc_paid')
      const { data } = await desk.pay(booking)
      expect(data.booking).toMatchObject({ status: 'confirmed', payment: { status: 'paid', transaction_id: 'txn_1' } })
      const { changes } = (
        await desk.call('usp_business_bookings_get', { booking_id: booking.id }, { as: trusted.shop.staff })
      ).data
      expect(changes.at(-1)).toMatchObject({ action: 'complete_payment', actor: trusted.shop.platform.principal })
    }
  })

  test.each(['the platform', 'the staff'])(
    '[what was to go back of a payment that %s reported goes back from the provider once that tells of it]',
    async (who) => {
      const { desk, shop, stripe, refundsOf, aMinuteLater, ...trusted } = await paidShop({ collects: true })
      const as = who === 'the staff' ? shop.staff : shop.platform
      const booking = await trusted.booked('svc_paid')
      const session = stripe.pay(await trusted.checkout(booking))
      const { payment_intent: transaction_id } = session
      if (as === shop.platform) await desk.pay(booking, { transaction_id })
      else await desk.call('usp_business_bookings_mark_paid', { booking_id: booking.id, transaction_id }, { as })
      expect((await desk.cancel(booking.id)).data.booking.payment).toMatchObject({ refund_total: 8250 })
      await aMinuteLater()
      for (let told = 0; told < 2; told++) {
        await stripe.notify(shop, 'checkout.session.completed', session)
        await aMinuteLater()
      }
      expect(refundsOf(session)).toEqual([8250])
    },
  )

  const published = testKey()
  const url = 'https://platform.example/profile'
  const agent: Agent = {
    url,
    profile: { ...platformProfile(), keys: [{ ...published.jwk, kid: 'one' }] },
    offered: new Map(),
    agreed: new Set(),
  } as unknown as Agent // Nothing else of it is looked at.
  const caller = (principal: string, mechanism: string, profile = url): Caller => ({
    principal,
    mechanism,
    profile,
    identities: [principal],
    credentials: false,
  })
  const key = `key:${published.thumbprint}`
  test.each<[boolean, string, string[], Caller]>([
    [true, 'a client that is named', ['client:shop'], caller('client:shop', 'api_key')],
    [true, 'the same for a buyer who linked it', ['client:shop'], caller('client:shop/buy_1', 'oauth2_bearer')],
    [false, 'another client', ['client:shop'], caller('client:shop2', 'api_key')],
    [false, 'a client whose name begins alike', ['client:shop'], caller('client:shop/x@issuer', 'oauth2_bearer')],
    [false, 'a client under the profile that is named', [url], caller('client:other', 'api_key')],
    [true, 'a key that the named profile publishes', [url], caller(key, 'http_message_signature')],
    [true, 'such a key that is named itself', [key], caller(key, 'platform_key_pop')],
    [false, "a stranger's own key under that profile", [url], caller('key:own', 'platform_key_pop')],
    [false, 'a published key of another profile', ['https://other.example/p'], caller(key, 'http_message_signature')],
    [false, 'a credential that was handed on', [url, key], caller(key, 'booking_scoped_credential')],
    [true, 'a certificate that is named', ['cert:abc'], caller('cert:abc', 'mtls')],
    [true, 'the staff', [], caller('staff:stf_jo', 'staff_token', '')],
    [false, 'anybody else', [], caller('client:shop', 'api_key')],
  ])('%s for %s', (wanted, _, collected_by, who) => {
    expect(mayReport({ payments: { provider: 'stripe', collected_by } }, who, agent)).toBe(wanted)
  })

  test('where the staff take the money every platform tells of what it took', () => {
    for (const payments of [undefined, {}, { provider: 'manual' as const }])
      expect(mayReport(payments ? { payments } : {}, caller('client:shop', 'api_key'), agent)).toBe(true)
  })
})

test('[payments.collected_by] the staff see who said so of what came in through the provider', async () => {
  const booking = await booked('svc_paid')
  stripe.pay(await checkout(booking))
  await restDesk(shop).pay(booking)
  expect((await staffRead(booking.id)).changes.at(-1)).toMatchObject({ action: 'complete_payment', actor: 'buyer' })
})
