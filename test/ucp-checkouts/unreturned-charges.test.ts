import { beforeEach, describe, expect, test } from 'vitest'
import { mcpDesk, restDesk } from '../support/desk.ts'
import { tokenShop } from './paid-shop.ts'

const shop = await tokenShop()
const { stripe } = shop
const { db } = shop.runtime

const statuses = async (id: string) => (await shop.charges(id)).map(({ status }) => status)
const isRefund = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/v1/refunds'

beforeEach(() => {
  stripe.mood = 'well'
  stripe.refundsEnd = 'succeeded'
  stripe.beforeAnswer = async () => {}
})

/** A checkout whose slot another checkout takes while Stripe takes the money. Then something else happens. */
async function paidInVain(then: (intent: string) => void | Promise<void> = () => {}) {
  const slot = await shop.lastSlot()
  const { body } = await shop.create(slot)
  stripe.beforeAnswer = async ({ path }) => {
    if (!path.endsWith('/confirm')) return
    stripe.beforeAnswer = async () => {}
    await restDesk(shop).release(body.booking.hold_id, { as: shop.ucp })
    expect((await shop.create(slot)).status).toBe(201)
    await then(path.split('/')[3] ?? '')
  }
  const answer = (await shop.pay(body.id, stripe.grant())).body
  const [charge] = await shop.charges(body.id)
  if (!charge?.reference) throw new Error('There is no charge')
  return { id: body.id as string, answer, charge: { ...charge, reference: charge.reference } }
}

const failing = () =>
  paidInVain(() => {
    stripe.refundsEnd = 'failed'
  })
const logged = (charge: { id: string }) =>
  shop.logged
    .filter((line) => line.includes('return it by hand') && line.includes(charge.id))
    .map((line) => JSON.parse(line))

describe.each([
  ['REST', restDesk(shop)],
  ['MCP', mcpDesk(shop)],
])('[LIV-117] a charge that Stripe refuses to return, over %s', (_, desk) => {
  const staff = (what: string, input: object = {}) =>
    desk.call(`usp_business_inbox${what}`, { ...input }, { as: shop.staff })

  test('waits in the inbox until the staff have returned it by hand', async () => {
    const at = shop.time.now.getTime()
    const { id, charge } = await failing()
    expect(await statuses(id)).toEqual(['unreturned'])
    const listed = { id: charge.id, order_id: charge.order_id, provider: 'stripe', reference: charge.reference }
    const { charges } = (await staff('_unreturned_charges')).data
    expect(charges).toEqual([{ ...listed, amount: 12_000, currency: 'USD', at: expect.any(String) }])
    expect(Date.parse(charges[0].at)).toBe(at)
    expect((await staff('')).data.inbox).toMatchObject({ charges_unreturned: 1, total: 1 })

    const marked = await staff('_mark_returned', { charge_id: charge.id })
    expect([marked.status, marked.data.inbox.charges_unreturned]).toEqual([200, 0])
    expect((await staff('_unreturned_charges')).data.charges).toEqual([])
    expect(await statuses(id)).toEqual(['reversed'])
    await shop.expectSound()
    const read = (await shop.get(id)).body
    expect([read.status, read.messages]).toEqual(['canceled', undefined])
    const done = db.selectFrom('changes').selectAll().where('subject', '=', `checkout ${id}`)
    expect(await done.where('action', '=', 'return_by_hand').execute()).toMatchObject([
      {
        actor: expect.stringContaining('staff:'),
        from_status: 'unreturned',
        to_status: 'reversed',
        detail: { order: charge.order_id, charge: charge.id, amount: 12_000 },
      },
    ])
    expect((await staff('_mark_returned', { charge_id: charge.id })).code).toBe('not_found')
  })

  test('that was returned by hand stays so when Stripe repeats its notice', async () => {
    const { id, charge } = await failing()
    await staff('_mark_returned', { charge_id: charge.id })
    const failed = { object: 'refund', status: 'failed', metadata: { refund: `${charge.id}_reversal` } }
    expect((await stripe.notify(shop, 'refund.failed', failed)).status).toBe(200)
    expect(await statuses(id)).toEqual(['reversed'])
    await shop.expectSound()
  })

  test('is marked only if it waits, and only by those who may refund', async () => {
    const { id, charge } = await failing()
    const booked = (await shop.create(await shop.lastSlot())).body
    await shop.pay(booked.id, stripe.grant())
    const [other] = await shop.charges(booked.id)
    for (const charge_id of [other?.id, 'chg_none'])
      expect((await staff('_mark_returned', { charge_id })).code).toBe('not_found')
    const as = await shop.staffAs('staff')
    const refused = await desk.call('usp_business_inbox_mark_returned', { charge_id: charge.id }, { as })
    expect(refused.code).toBe('authentication_required')
    expect((await desk.call('usp_business_inbox_unreturned_charges', {}, { as })).data.charges).toHaveLength(1)
    expect([await statuses(id), await statuses(booked.id)]).toEqual([['unreturned'], ['booked']])
    await staff('_mark_returned', { charge_id: charge.id })
    await shop.expectSound()
  })
})

describe('[LIV-117] a refused return is logged once, with its reason', () => {
  const line = { reason: 'the refund is failed', level: 50 }

  test('in the request of the platform', async () => {
    const { charge } = await failing()
    expect(logged(charge)).toMatchObject([{ ...line, order: charge.order_id }])
    await restDesk(shop).call('usp_business_inbox_mark_returned', { charge_id: charge.id }, { as: shop.staff })
  })

  test('in the background', async () => {
    const { id, charge } = await paidInVain(() => {
      stripe.beforeAnswer = async (asked) => {
        if (asked.path.startsWith('/v1/refunds')) stripe.mood = 'down'
      }
    })
    expect(await statuses(id)).toEqual(['reversing'])
    expect(logged(charge)).toEqual([])
    stripe.beforeAnswer = async () => {}
    stripe.mood = 'well'
    stripe.refundsEnd = 'failed'
    await shop.reconcile()
    expect(await statuses(id)).toEqual(['unreturned'])
    expect(logged(charge)).toMatchObject([{ ...line, order: charge.order_id }])
    await restDesk(shop).call('usp_business_inbox_mark_returned', { charge_id: charge.id }, { as: shop.staff })
  })
})

describe('[LIV-114] the return of a charge without a booking', () => {
  test('that the staff have already made in Stripe is done', async () => {
    const before = shop.kept()
    const { id, answer } = await paidInVain((payment_intent) => {
      const byHand = { id: 're_by_hand', object: 'refund', status: 'succeeded', amount: 12_000, metadata: {} } as const
      stripe.refunds.push({ ...byHand, payment_intent })
    })
    expect([answer.status, await statuses(id), shop.kept() - before]).toEqual(['incomplete', ['reversed'], 0])
    await shop.expectSound()
  })

  test.each([
    ['succeeded', 'reversed'],
    ['failed', 'unreturned'],
  ] as const)('whose answer was lost is asked for once, though Stripe forgot its key: %s', async (end, status) => {
    const asked = stripe.asked.length
    const { id, charge } = await paidInVain(() => {
      stripe.refundsEnd = end
      stripe.beforeAnswer = async (one) => {
        if (isRefund(one)) stripe.mood = 'deaf'
      }
    })
    expect(await statuses(id)).toEqual(['reversing'])
    stripe.beforeAnswer = async () => {}
    stripe.mood = 'well'
    stripe.refundsEnd = 'succeeded'
    stripe.forget()
    await shop.reconcile()
    expect(await statuses(id)).toEqual([status])
    expect(stripe.asked.slice(asked).filter(isRefund)).toHaveLength(1)
    expect(stripe.refunds.filter(({ payment_intent }) => payment_intent === charge.reference)).toHaveLength(1)
    if (end === 'failed')
      await restDesk(shop).call('usp_business_inbox_mark_returned', { charge_id: charge.id }, { as: shop.staff })
    await shop.expectSound()
  })
})

test('the stand-in refuses a request with a known key again, as Stripe does, until it forgets the key', async () => {
  const provider = await shop.runtime.payments.find('stripe')
  const { charge } = await paidInVain()
  const intent = stripe.intents.find(({ id }) => id === charge.reference)
  if (!provider || !intent) throw new Error('There is no payment')
  stripe.refunds.splice(
    stripe.refunds.findIndex(({ payment_intent }) => payment_intent === intent.id),
    1,
  )
  const request = {
    id: 'rfd_key',
    receipt: intent.id,
    bookingId: 'bkg_1',
    amount: 12_000,
    currency: 'USD',
    isRetry: false,
  }
  intent.status = 'canceled'
  await expect(provider.refund(request)).rejects.toThrow('resource_missing')
  intent.status = 'succeeded'
  await expect(provider.refund(request)).rejects.toThrow('resource_missing')
  stripe.forget()
  await expect(provider.refund(request)).resolves.toMatch(/^re_/)
})
