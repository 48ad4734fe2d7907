import { describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { closeCheckouts } from '../../src/domain/checkouts/close-checkouts.ts'
import { browser, continueUrl } from '../pages/shop.ts'
import { mcpDesk, restDesk, testShop } from '../support/desk.ts'
import { stripeStandIn } from '../support/stripe.ts'
import { salon } from './doors.ts'
import { person } from './queue.ts'

const stripe = await stripeStandIn()
const shop = await testShop(
  { ...salon, payments: { provider: 'stripe' } },
  { env: { ...stripe.env, BASE_URL: 'https://book.example' } },
)
stripe.now = () => shop.time.now.getTime() / 1000
const desk = restDesk(shop)

/** A full class or person: its buyer is on the page of the provider, and somebody waits. */
async function full(service: string, nth: number) {
  const slot = (await desk.slots(service))[nth]
  const { booking } = (await desk.book(slot)).data
  const { headers } = await browser(shop).send(continueUrl(booking, 'payment'))
  const session = stripe.sessions.find(({ url }) => url === headers.location)
  if (!session) throw new Error(`The form led to ${headers.location}`)
  const input = { service_id: service, slot_id: slot.id, buyer: person(`First${nth}`) }
  const { entry } = (await desk.call('usp_waitlist_join', input)).data
  return { slot, booking, session, entry }
}

const statusOf = async ({ id }: { id: string }) =>
  (await desk.call('usp_waitlist_get', { entry_id: id })).data.entry.status

async function expectRefused(slot: object) {
  for (const one of [desk, mcpDesk(shop)])
    expect((await one.book(slot, {}, { as: shop.other })).code).toMatch(/slot_unavailable|capacity_exceeded/)
}

describe.each(['svc_paid_class', 'svc_paid_chair'])('[WTL-028] [paid in time] who waits for %s', (service) => {
  test('waits on while the provider is asked, and where it was paid in time', async () => {
    const { slot, booking, session, entry } = await full(service, 0)
    stripe.pay(session)
    shop.time.now = new Date(Date.parse(booking.expires_at) + 3_600_000)
    await expectRefused(slot)
    await expireOverdue(shop.runtime, shop.time.now)
    expect(await statusOf(entry)).toBe('waiting')
    await closeCheckouts(shop.runtime)
    expect((await desk.get(booking.id)).data.booking.status).toBe('confirmed')
    expect(await statusOf(entry)).toBe('waiting')
    await expectRefused(slot)
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  })

  test('is offered it at once, before anybody else has it, where it was not paid', async () => {
    const { slot, booking, entry } = await full(service, 1)
    shop.time.now = new Date(Date.parse(booking.expires_at) + 1_000)
    await expectRefused(slot)
    expect(await statusOf(entry)).toBe('waiting')
    await closeCheckouts(shop.runtime)
    expect((await desk.get(booking.id)).data.booking.status).toBe('canceled')
    expect(await statusOf(entry)).toBe('offered')
    await expectRefused(slot)
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  })

  test('is offered it when the grace is over, where the provider does not answer', async () => {
    const { slot, booking, entry } = await full(service, 2)
    stripe.mood = 'down'
    shop.time.now = new Date(Date.parse(booking.expires_at) + 1_000)
    await expireOverdue(shop.runtime, shop.time.now)
    await closeCheckouts(shop.runtime)
    await expectRefused(slot)
    expect(await statusOf(entry)).toBe('waiting')
    shop.minutesLater(5)
    await expectRefused(slot)
    expect(await statusOf(entry)).toBe('offered')
    expect((await desk.get(booking.id)).data.booking.status).toBe('canceled')
    stripe.mood = 'well'
    expect((await verify(shop.runtime.db, shop.time.now)).findings.listed).toEqual([])
  })
})

test('[paid in time] the staff read the same end of an unpaid booking as its buyer, whose payment page is open', async () => {
  const { booking, slot } = await full('svc_paid_chair', 3)
  const { start, end } = slot
  const input = { resource_id: 'ann', start, end, reason: 'Dentist' }
  const { data } = await desk.call('usp_business_blocks_create', input, { as: shop.staff })
  expect(data.messages[0].taken_by).toMatchObject([{ kind: 'booking', id: booking.id, expires_at: booking.expires_at }])
})
