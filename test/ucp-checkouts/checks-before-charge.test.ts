import { afterEach, describe, expect, test } from 'vitest'
import { EVERY_DAY } from '../availability/week.ts'
import { START } from '../support/server.ts'
import { tokenShop } from './paid-shop.ts'
import { paid, ucpDefinition } from './ucp-shop.ts'

const MINUTE = 60_000
const classes = {
  ...paid,
  id: 'svc_class',
  type: 'group' as const,
  capacity: { max: 4 },
  sessions: [{ days: [...EVERY_DAY], starts: '12:00' }],
}
const definition = ucpDefinition([paid, classes], { payments: { provider: 'stripe' } })
const shop = await tokenShop(definition)
const { stripe } = shop

const codes = (body: { messages?: { code: string }[] }) => (body.messages ?? []).map(({ code }) => code)

/** The earliest slot that a buyer may still book, and a clock that is this many minutes before its last moment. */
async function slotAtTheLimit(minutes: number) {
  const [, , slot] = await shop.slotsOf('svc_paid')
  shop.time.now = new Date(Date.parse(slot.start) - 120 * MINUTE - minutes * MINUTE)
  return slot
}

describe('[LIV-112] the window before the charge', () => {
  afterEach(() => {
    shop.time.now = START
  })

  test('is the one that applied when the hold was placed: the buyer may pay until the hold ends', async () => {
    const { body } = await shop.create(await slotAtTheLimit(1))
    expect(body.status).toBe('ready_for_complete')
    shop.minutesLater(2)
    expect((await shop.pay(body.id, stripe.grant())).body.status).toBe('completed')
    await shop.expectSound()
  })

  test('[LIV-060] does not hide that the hold has lapsed and the slot cannot be booked any more', async () => {
    const { body } = await shop.create(await slotAtTheLimit(1))
    shop.minutesLater(12)
    const before = stripe.asked.length
    const late = (await shop.pay(body.id, stripe.grant())).body
    expect([codes(late), stripe.asked.length]).toEqual([['slot_unavailable'], before])
    await shop.expectSound()
  })

  test('has closed for new checkouts and for updates without a hold', async () => {
    const slot = await slotAtTheLimit(-1)
    const { body } = await shop.create(slot)
    expect(codes(body)).toEqual(['booking_window_violated'])
    expect(body.messages[0].path).toBe('$.booking.slot')
  })

  test('may have become shorter meanwhile: nothing is charged', async () => {
    const { body } = await shop.create(await shop.lastSlot())
    const booking_window = { ...paid.policies.booking_window, max_advance: 'PT3H' }
    const shorter = { ...paid, policies: { ...paid.policies, booking_window } }
    await shop.apply({ ...definition, services: [shorter, classes] })
    await shop.runtime.business.seenBy(shop.runtime.db)
    const before = stripe.asked.length
    const refused = (await shop.pay(body.id, stripe.grant())).body
    expect([codes(refused), stripe.asked.length]).toEqual([['booking_window_violated'], before])
    expect(await shop.charges(body.id)).toEqual([])
    await shop.apply(definition)
  })
})

test('[LIV-112] more people than there are places are refused before a charge', async () => {
  const slot = await shop.lastSlot('svc_class')
  const before = stripe.asked.length
  const { body } = await shop.create(slot, { party_size: 5 })
  expect([codes(body), stripe.asked.length]).toEqual([['capacity_exceeded'], before])
  await shop.expectSound()
})
