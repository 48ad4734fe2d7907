import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { expireOverdue } from '../../src/domain/bookings/expire-overdue-bookings.ts'
import { closeCheckouts } from '../../src/domain/checkouts/close-checkouts.ts'
import { paidShop } from '../payments/shop.ts'
import { freshDatabase } from '../support/database.ts'
import { mcpDesk, restDesk, testShop } from '../support/desk.ts'
import type { Session } from '../support/stripe.ts'

const PAID = 'checkout.session.completed'
const databaseUrl = await freshDatabase()
const paid = await paidShop({ databaseUrl })
const { shop, desk, stripe, page, booked, checkout, refundsOf, aMinuteLater } = paid
const { db } = shop.runtime
const mcp = mcpDesk(shop)

/** A server that starts now, on the same database. */
async function restarted() {
  const definition = await shop.runtime.business.get()
  if (!definition) throw new Error('There is no business')
  const server = await testShop(definition, { databaseUrl, env: { ...stripe.env, BASE_URL: 'https://book.example' } })
  server.time.now = shop.time.now
  return server
}

const eventsOf = async ({ id }: { id: string }) => {
  const rows = await db.selectFrom('events').select('type').where('subject', '=', `booking ${id}`).execute()
  return rows.map(({ type }) => type)
}
const now = paid.now
const minutesAfter = ({ expires_at }: { expires_at: string }, minutes: number) => {
  shop.time.now = new Date(Date.parse(expires_at) + minutes * 60_000)
}
const isFree = async ({ slot }: { slot: { id: string } }) =>
  (await desk.slots('svc_paid')).some(({ id }: { id: string }) => id === slot.id)
const rivalBooks = ({ slot, service_id }: { slot: { id: string }; service_id: string }) =>
  desk.book({ id: slot.id, service_id }, {}, { as: shop.other })

async function expectSound() {
  expect((await verify(db, shop.time.now)).findings).toEqual({ listed: [], count: 0 })
}

/** It stands, the money stays, and its platform heard of nothing else. */
async function expectConfirmed(booking: { id: string }, session: Session) {
  for (let minute = 0; minute < 3; minute++) await aMinuteLater()
  expect(await now(booking)).toMatchObject({
    status: 'confirmed',
    payment: { status: 'paid', amount_due: 0, transaction_id: session.payment_intent },
  })
  expect(refundsOf(session)).toEqual([])
  expect(await eventsOf(booking)).toEqual(['booking.confirmed'])
  await expectSound()
  await desk.cancel(booking.id)
}

/** It was given up, all of the money went back once, and its platform heard of it once. */
async function expectGivenUp(booking: { id: string }, session: Session) {
  for (let minute = 0; minute < 3; minute++) await aMinuteLater()
  expect(await now(booking)).toMatchObject({
    status: 'canceled',
    cancellation: { canceled_by: 'system' },
    payment: { status: 'pending' },
  })
  expect(refundsOf(session)).toEqual([8250])
  expect(await eventsOf(booking)).toEqual(['booking.canceled'])
  await expectSound()
}

/** Each round another one is first, by a few milliseconds. */
const together = (round: number, acts: (() => Promise<unknown>)[]): Promise<unknown> =>
  Promise.all(acts.map((act, nth) => wait(((nth + round) % acts.length) * 4).then(act)))

/** A booking whose buyer is on the page of the provider. */
async function atThePage() {
  // On the wire, and at Stripe, an instant is a whole second.
  shop.time.now = new Date(Math.ceil(shop.time.now.getTime() / 60_000) * 60_000)
  const booking = await booked('svc_paid')
  return { booking, session: await checkout(booking) }
}

afterEach(() => {
  stripe.mood = 'well'
})

describe('[paid in time] a booking that was paid in time while no server was running is confirmed', () => {
  test.each<[string, (booking: { id: string; page: string }, session: Session) => Promise<unknown>]>([
    ['the notice is repeated', (_, session) => stripe.notify(shop, PAID, session)],
    ['overdue bookings are expired', () => expireOverdue(shop.runtime, shop.time.now)],
    ['checkouts are closed', () => closeCheckouts(shop.runtime)],
    ['nothing comes but the clock', async () => {}],
    ['its platform reads it', ({ id }) => desk.get(id)],
    ['its platform reports the payment', (booking) => desk.pay(booking)],
    ['its platform reports the payment over MCP', (booking) => mcp.pay(booking)],
    ['its platform updates it', ({ id }) => desk.update(id, { notes: 'We have paid.' })],
    ['the buyer opens the page', (booking) => page.open(booking.page)],
    ['the buyer comes back from paying', (_, session) => page.open(session.success_url)],
    ['the buyer wants to pay once more', (booking) => page.send(booking.page)],
  ])('where at first %s', async (_, first) => {
    const { booking, session } = await atThePage()
    stripe.pay(session)
    minutesAfter(booking, 40)
    await first(booking, session)
    const { status } = await now(booking)
    expect(['requires_action', 'confirmed']).toContain(status)
    await expectConfirmed(booking, session)
  })

  test('where somebody else wants its time first, who does not get it', async () => {
    const { booking, session } = await atThePage()
    stripe.pay(session)
    minutesAfter(booking, 40)
    expect(await isFree(booking)).toBe(false)
    expect((await rivalBooks(booking)).code).toBe('slot_unavailable')
    await expectConfirmed(booking, session)
  })

  test('by another server that starts then', async () => {
    const { booking, session } = await atThePage()
    stripe.pay(session)
    minutesAfter(booking, 3 * 60)
    const server = await restarted()
    expect((await restDesk(server).get(booking.id, { as: shop.platform })).data.booking.status).toBe('requires_action')
    await Promise.all([
      closeCheckouts(server.runtime),
      closeCheckouts(shop.runtime),
      expireOverdue(server.runtime, server.time.now),
      stripe.notify(server, PAID, session),
    ])
    await expectConfirmed(booking, session)
  })

  test('where the provider answers again within the grace', async () => {
    const { booking, session } = await atThePage()
    stripe.pay(session)
    minutesAfter(booking, 40)
    stripe.mood = 'down'
    await expireOverdue(shop.runtime, shop.time.now)
    await closeCheckouts(shop.runtime)
    stripe.mood = 'well'
    shop.minutesLater(1)
    await closeCheckouts(shop.runtime)
    expect((await now(booking)).status).toBe('confirmed')
    await expectConfirmed(booking, session)
  })

  test('a second before the end of its time, and not where it was paid at its end', async () => {
    for (const [seconds, ends] of [
      [-1, expectConfirmed],
      [0, expectGivenUp],
    ] as const) {
      const { booking, session } = await atThePage()
      minutesAfter(booking, seconds / 60)
      stripe.pay(session)
      minutesAfter(booking, 40)
      await stripe.notify(shop, PAID, session)
      await ends(booking, session)
    }
  })

  test('for a day: where all servers are down longer it is given up and the money goes back', async () => {
    for (const [hours, ends] of [
      [23.9, expectConfirmed],
      [24.1, expectGivenUp],
    ] as const) {
      const { booking, session } = await atThePage()
      stripe.pay(session)
      minutesAfter(booking, hours * 60)
      await ends(booking, session)
    }
  })
})

describe('[paid too late] the booking is given up, and the money goes back', () => {
  test.each<[string, (session: Session) => Promise<unknown>]>([
    ['the notice says so', (session) => stripe.notify(shop, PAID, session)],
    ['the provider is asked', () => closeCheckouts(shop.runtime)],
    ['the buyer comes back', (session) => page.open(session.success_url)],
  ])('as soon as %s, and the time is free', async (_, told) => {
    const { booking, session } = await atThePage()
    minutesAfter(booking, 1)
    stripe.pay(session)
    minutesAfter(booking, 20)
    await told(session)
    expect((await now(booking)).status).toBe('canceled')
    expect(await isFree(booking)).toBe(true)
    await expectGivenUp(booking, session)
  })
})

describe('[not paid] the time of a booking whose payment page was opened', () => {
  test('is free as soon as the provider has closed the page, which is asked for when the window ends', async () => {
    const { booking, session } = await atThePage()
    minutesAfter(booking, 0)
    expect(await isFree(booking)).toBe(false)
    await closeCheckouts(shop.runtime)
    expect(session.status).toBe('expired')
    expect(await now(booking)).toMatchObject({ status: 'canceled', cancellation: { canceled_by: 'system' } })
    expect(await isFree(booking)).toBe(true)
    expect((await rivalBooks(booking)).status).toBe(201)
    expect(await eventsOf(booking)).toEqual(['booking.canceled'])
    await expectSound()
  })

  test('[BKG-123] is free at the end of the window where no page was opened', async () => {
    const booking = await booked('svc_paid')
    minutesAfter(booking, 0)
    expect(await isFree(booking)).toBe(true)
    expect((await now(booking)).status).toBe('canceled')
  })

  test('is free within 7 minutes where the provider does not answer, and nobody has to sweep for that', async () => {
    const { booking, session } = await atThePage()
    stripe.mood = 'down'
    minutesAfter(booking, 1)
    await expireOverdue(shop.runtime, shop.time.now)
    await closeCheckouts(shop.runtime)
    minutesAfter(booking, 5.9)
    await expireOverdue(shop.runtime, shop.time.now)
    await closeCheckouts(shop.runtime)
    expect(await isFree(booking)).toBe(false)
    expect((await now(booking)).status).toBe('requires_action')
    await expectSound()
    minutesAfter(booking, 6)
    expect(await isFree(booking)).toBe(true)
    expect((await now(booking)).status).toBe('canceled')
    expect((await rivalBooks(booking)).status).toBe(201)
    await expectSound()
    stripe.mood = 'well'
    shop.minutesLater(5)
    await closeCheckouts(shop.runtime)
    expect(session.status).toBe('expired')
  })

  test('is not kept any longer by whatever its buyer does', async () => {
    const booking = await booked('svc_all')
    await checkout(booking)
    minutesAfter(booking, 0)
    const sessions = stripe.sessions.length
    const waiver = booking.actions.find(({ type }: { type: string }) => type === 'waiver').continue_url
    for (const minute of [1, 3, 5]) {
      stripe.mood = 'down'
      minutesAfter(booking, minute)
      await expireOverdue(shop.runtime, shop.time.now)
      await closeCheckouts(shop.runtime)
      stripe.mood = 'well'
      await page.send(booking.page)
      await page.send(waiver, { name: 'Alice Williams', agree: 'yes' })
      await desk.update(booking.id, { notes: `Minute ${minute}` })
      await desk.pay(booking)
    }
    expect(stripe.sessions).toHaveLength(sessions)
    minutesAfter(booking, 6)
    expect((await now(booking)).status).toBe('canceled')
    await expectSound()
  })

  test('is free soon where the provider closes it while the buyer still has time', async () => {
    const { booking, session } = await atThePage()
    Object.assign(session, { status: 'expired', url: null })
    await stripe.notify(shop, 'checkout.session.expired', session)
    expect((await now(booking)).status).toBe('requires_action')
    minutesAfter(booking, 0)
    await expireOverdue(shop.runtime, shop.time.now)
    expect(await isFree(booking)).toBe(true)
    await expectSound()
  })
})

test('[paid in time] where the provider could not be asked and somebody else has the time, the money goes back', async () => {
  const { booking, session } = await atThePage()
  stripe.pay(session)
  stripe.mood = 'down'
  minutesAfter(booking, 1)
  await expireOverdue(shop.runtime, shop.time.now)
  minutesAfter(booking, 6)
  const rival = (await rivalBooks(booking)).data.booking
  expect(rival.status).toBe('requires_action')
  stripe.mood = 'well'
  await stripe.notify(shop, PAID, session)
  await expectGivenUp(booking, session)
  expect((await desk.get(rival.id, { as: shop.other })).data.booking.status).toBe('requires_action')
  await desk.cancel(rival.id, {}, { as: shop.other })
})

test('[paid in time] while the provider is asked the booking stays as it was, on the wire and on its pages', async () => {
  const { booking, session } = await atThePage()
  minutesAfter(booking, 1)
  for (const one of [desk, mcp]) {
    const { data } = await one.get(booking.id)
    const { status, expires_at, revision, actions } = booking
    expect(data.booking).toMatchObject({ status, expires_at, revision, actions })
  }
  for (const url of [booking.page, booking.booking_url, `${booking.page}/back`]) {
    const { status, body } = await page.open(url)
    expect(status).toBe(200)
    expect(body).toContain('We are checking whether your payment arrived in time.')
    expect(body).not.toContain('Your spot is held until')
    expect(body).not.toContain('Pay by card')
  }
  expect(stripe.sessions.at(-1)).toBe(session)
  expect((await page.send(booking.page)).headers.location).not.toContain('stripe')
  expect(stripe.sessions.at(-1)).toBe(session)
  await closeCheckouts(shop.runtime)
  expect((await page.open(booking.page)).status).toBe(410)
})

describe('[PAY-046] [paid in time] a platform that is trusted to collect and reports a payment after the window', () => {
  const late = async () => {
    const other = await paidShop({ collects: true })
    const booking = await other.booked('svc_paid')
    const session = await other.checkout(booking)
    const { time } = other.shop
    const end = () => {
      time.now = new Date(Date.parse(booking.expires_at) + 1_000)
    }
    return { ...other, desks: [restDesk(other.shop), mcpDesk(other.shop)], booking, session, end }
  }

  test('is told that it is too late, and the page of the provider is closed', async () => {
    const { desks, booking, session, end, now } = await late()
    end()
    for (const one of desks) {
      const said = await one.pay(booking)
      expect(said).toMatchObject({ status: 200, code: 'payment_expired', severity: 'recoverable' })
      expect(said.data.booking).toMatchObject({ status: 'canceled', cancellation: { canceled_by: 'system' } })
    }
    expect(session.status).toBe('expired')
    expect((await now(booking)).status).toBe('canceled')
  })

  test('is told that it is confirmed where the buyer has paid the provider in time', async () => {
    const { desks, booking, session, end, stripe, refundsOf, aMinuteLater } = await late()
    stripe.pay(session)
    end()
    for (const one of desks) {
      const said = await one.pay(booking)
      expect(said).toMatchObject({ status: 200, code: 'already_confirmed' })
      expect(said.data.booking.payment).toMatchObject({ transaction_id: session.payment_intent })
    }
    await aMinuteLater()
    expect(refundsOf(session)).toEqual([])
  })

  test('has to ask again while the provider does not answer', async () => {
    const { desks, booking, end, stripe, now } = await late()
    end()
    stripe.mood = 'down'
    for (const one of desks) expect((await one.pay(booking)).code).toBe('service_unavailable')
    expect(await now(booking)).toMatchObject({ status: 'requires_action', revision: booking.revision })
  })
})

describe('[PAY-049] [paid in time] a payment that meets the end on two servers ends in one or the other', () => {
  test('in time it is confirmed, whoever is first', async () => {
    const server = await restarted()
    for (let round = 0; round < 6; round++) {
      const { booking, session } = await atThePage()
      stripe.pay(session)
      minutesAfter(booking, 0)
      // The clock of the other server is a moment behind.
      server.time.now = new Date(shop.time.now.getTime() - 1)
      const acts = [
        () => stripe.notify(server, PAID, session),
        () => expireOverdue(shop.runtime, shop.time.now),
        () => closeCheckouts(shop.runtime),
        () => rivalBooks(booking),
      ]
      await together(round, acts)
      await expectConfirmed(booking, session)
    }
  })

  test('at the end of the grace it is confirmed or given up, and of those who want its time one has it', async () => {
    const server = await restarted()
    for (let round = 0; round < 8; round++) {
      const { booking, session } = await atThePage()
      stripe.pay(session)
      minutesAfter(booking, 0)
      await expireOverdue(shop.runtime, shop.time.now)
      minutesAfter(booking, 5)
      server.time.now = new Date(shop.time.now.getTime() - 1)
      const rivals: { id: string }[] = []
      await together(round, [
        () => stripe.notify(server, PAID, session),
        () => expireOverdue(shop.runtime, shop.time.now),
        () => rivalBooks(booking).then(({ data }) => data.booking && rivals.push(data.booking)),
      ])
      const { status } = await now(booking)
      if (status === 'confirmed') {
        expect(rivals).toEqual([])
        await expectConfirmed(booking, session)
      } else {
        expect(status).toBe('canceled')
        expect(rivals).toHaveLength(1)
        for (let minute = 0; minute < 3; minute++) await aMinuteLater()
        expect((await now(booking)).status).toBe('canceled')
        expect(refundsOf(session)).toEqual([8250])
        await expectSound()
        for (const { id } of rivals) await desk.cancel(id, {}, { as: shop.other })
      }
    }
  })
})

test('[paid in time] the difference of a move that was paid in time keeps the booking', async () => {
  const first = await paid.bookedAndPaid('svc_moved')
  const friday = (await desk.slots('svc_moved')).find(({ start }: { start: string }) => start.startsWith('2026-11-27'))
  const moved = (await desk.reschedule(first.id, friday)).data.booking
  const second = stripe.pay(await checkout({ page: first.page }))
  minutesAfter(moved, 40)
  for (let minute = 0; minute < 3; minute++) await aMinuteLater()
  expect(await now(first)).toMatchObject({ status: 'confirmed', payment: { amount: 15_000, amount_due: 0 } })
  expect([refundsOf(first.session), refundsOf(second)]).toEqual([[], []])
  await expectSound()
})
