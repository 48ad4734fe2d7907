import { afterEach, describe, expect, test } from 'vitest'
import { staffSessionEnd } from '../../src/core/authentication/staff-sessions.ts'
import { claimPayment } from '../../src/domain/bookings/report-payment-by-buyer.ts'
import { operations as deskOperations } from '../../src/domain/desk/operations.ts'
import { neededRole } from '../../src/pipeline/check-permissions.ts'
import { unreturnedCharge } from '../support/unreturned-charge.ts'
import { lineOf } from '../waitlist/queue.ts'
import { pushShop } from './push-shop.ts'

const on = await pushShop()
const { shop, service, rest, mcp, notified, signedIn, turnOn, arrivals, subscriptions, messages } = on
const { db, makeChange } = shop.runtime

const start = shop.time.now
const booked = async (desk = rest, service = 'svc_cut') =>
  (await desk.book((await desk.slots(service))[0])).data.booking

afterEach(async () => {
  service.answer = undefined
  service.answerHeaders = {}
  shop.time.now = start
  service.arrivals.length = 0
  await db.deleteFrom('push_subscriptions').execute()
  await db.deleteFrom('staff_news').execute()
  // Nothing stays open in the inbox.
  await db.deleteFrom('mails').execute()
  await db.deleteFrom('ucp_charges').execute()
  await db.updateTable('waitlist_entries').set({ status: 'removed', offer_expires_at: null }).execute()
})

describe.each([
  ['REST', rest],
  ['MCP', mcp],
])('[a push notification] over %s', (_, desk) => {
  test('a new booking, a move and a cancellation by the buyer arrive, and a click opens the booking', async () => {
    const one = await notified('staff')
    const booking = await booked(desk)
    const [first, ...others] = await arrivals()
    expect(others).toEqual([])
    expect(first?.payload).toEqual({
      title: 'New booking',
      body: expect.stringMatching(/^\w{3}, \w{3} \d+, \d+:\d\d\s[AP]M$/),
      url: `/desk/bookings/${booking.id}`,
      tag: first?.headers.topic,
      lang: 'en',
      dir: 'ltr',
    })
    expect(first?.headers).toMatchObject({ ttl: '86400', urgency: 'normal', 'content-encoding': 'aes128gcm' })
    expect((await one.open(first?.payload.url)).status).toBe(200)
    await desk.reschedule(booking.id, (await desk.slots('svc_cut')).at(-1))
    await desk.cancel(booking.id)
    const later = await arrivals()
    expect(later.map(({ payload }) => payload.title)).toEqual(['Booking rescheduled', 'Booking canceled'])
    expect(new Set([...later.map(({ headers }) => headers.topic), first?.headers.topic]).size).toBe(1)
  })

  test('nothing is sent about what the staff do themselves', async () => {
    await notified('staff')
    const [slot, other] = (await desk.slots('svc_cut')).slice(20)
    const staff = (what: string, input: object) =>
      desk.call(`usp_business_bookings_${what}`, { ...input }, { as: shop.staff })
    const book = { service_id: slot.service_id, slot_id: slot.id, buyer: { first_name: 'Rosa', last_name: 'Diaz' } }
    const { booking } = (await staff('create', book)).data
    await staff('reschedule', { booking_id: booking.id, slot_id: other.id })
    await staff('cancel', { booking_id: booking.id })
    expect(await arrivals()).toEqual([])
  })
})

test('[a push notification] a request and a reported payment are urgent', async () => {
  await notified('staff')
  await booked(rest, 'svc_asked')
  const { id } = await booked(rest, 'svc_paid')
  await makeChange((tx) => claimPayment(tx, id, shop.time.now))
  expect((await arrivals()).map(({ payload, headers }) => [payload.title, headers.urgency])).toEqual([
    ['New booking request', 'high'],
    ['Payment to confirm', 'high'],
  ])
})

test('[a push notification] an offer about to expire is told once, and not after its end', async () => {
  await notified('staff')
  const line = lineOf(rest)
  const [full] = await line.fill()
  await arrivals()
  await line.wait('Ann')
  await rest.cancel(full.id)
  const told = await arrivals()
  expect(told.map(({ payload }) => [payload.title, payload.url])).toEqual([
    ['Booking canceled', `/desk/bookings/${full.id}`],
    ['Waitlist offer about to expire', '/desk/inbox'],
  ])
  expect(await arrivals(60)).toEqual([])
})

test('[a push notification] failed mails are told once in an hour', async () => {
  await notified('staff')
  const giveUp = async (id: string) => {
    const mail = { kind: 'booking.confirmed', subject: `booking ${id}`, snapshot: {}, to: { email: 'a@example.com' } }
    await makeChange(async (tx) => tx.queueMail(mail, shop.time.now))
    await db
      .updateTable('mails')
      .set({ status: 'given_up', ended_at: shop.time.now })
      .where('subject', '=', mail.subject)
      .execute()
  }
  await giveUp('bkg_1')
  expect((await arrivals()).map(({ payload }) => payload.title)).toEqual(['A message was not delivered'])
  await giveUp('bkg_2')
  expect(await arrivals(1)).toEqual([])
  shop.minutesLater(60)
  await giveUp('bkg_3')
  expect((await arrivals()).map(({ payload }) => payload.title)).toEqual(['A message was not delivered'])
})

test('[a push notification] a charge to return by hand is told', async () => {
  await notified('staff')
  await unreturnedCharge(db, shop.time.now)
  expect((await arrivals()).map(({ payload }) => [payload.title, payload.url])).toEqual([
    ['Payment to return by hand', '/desk/inbox'],
  ])
})

test('[a push notification] contains the customer and the service only if the person wants it', async () => {
  const one = await notified('staff')
  await one.send('/desk/devices', { do: 'push_details', details: 'yes' })
  await booked()
  expect((await arrivals())[0]?.payload.body).toMatch(/^Alice Williams · .+ · \w{3}, /)
  await one.send('/desk/devices', { do: 'push_details' })
  await booked()
  expect((await arrivals())[0]?.payload.body).not.toContain('Alice')
})

test('[a push notification] has the language in which the person uses the desk last', async () => {
  const one = await notified('staff', { 'accept-language': 'de' })
  await booked()
  expect((await arrivals())[0]?.payload).toMatchObject({ title: 'Neue Buchung', lang: 'de', dir: 'ltr' })
  await one.open('/desk', { 'accept-language': 'ar' })
  await booked()
  expect((await arrivals())[0]?.payload).toMatchObject({ title: 'حجز جديد', lang: 'ar', dir: 'rtl' })
})

test('[a push notification] is not about a booking whose data the server has erased', async () => {
  await notified('staff')
  const { id } = await booked()
  await rest.cancel(id)
  const owner = await shop.staffAs('owner')
  expect((await rest.call('usp_business_bookings_erase', { booking_id: id }, { as: owner })).status).toBe(200)
  expect(await arrivals()).toEqual([])
  expect(await messages()).toEqual([])
})

test('[who gets push notifications] each role may read what the notifications are about', () => {
  const pages = [
    'getBusinessBooking',
    'getBusinessInbox',
    'listBusinessWaitlist',
    'listGivenUp',
    'listUnreturnedCharges',
  ]
  const read = deskOperations.filter(({ id }) => pages.includes(id))
  expect(read.map((one) => neededRole(one))).toEqual(pages.map(() => 'viewer'))
})

test('[who gets push notifications] each browser that wants them, of every role, and no other', async () => {
  const all = await Promise.all((['owner', 'manager', 'staff', 'viewer'] as const).map((role) => notified(role)))
  await signedIn('owner')
  await booked()
  const paths = (await arrivals()).map(({ path }) => path)
  expect(paths.toSorted()).toEqual(all.map(({ address }) => new URL(address.endpoint).pathname).toSorted())
})

describe('[the end of push notifications] come with', () => {
  const ends: [string, (one: Awaited<ReturnType<typeof notified>>) => Promise<unknown>][] = [
    ['turning them off', (one) => one.send('/desk/devices', { do: 'push_off' })],
    ['signing out', (one) => one.send('/desk/leave')],
    [
      'a sign-out from another device',
      async ({ who }) => {
        const [row] = await db.selectFrom('staff_sessions').select('id').where('staff_id', '=', who.id).execute()
        await staffSessionEnd(db, who.id, row?.id ?? '')
      },
    ],
    ['a new sign-in of the browser', async (one) => one.send(await one.who.link())],
    [
      'the removal of the person',
      ({ who }) => rest.call('usp_business_staff_remove', { staff_id: who.id }, { as: shop.staff }),
    ],
  ]
  test.each(ends)('%s', async (_, end) => {
    const one = await notified('staff')
    await booked()
    await end(one)
    expect(await subscriptions()).toEqual([])
    expect(await arrivals()).toEqual([])
    expect(await messages()).toEqual([])
  })

  test('the end of the session, even before its row is deleted', async () => {
    await notified('staff')
    await db.updateTable('staff_sessions').set({ expires_at: shop.time.now }).execute()
    await booked()
    expect(await arrivals()).toEqual([])
  })
})

describe('[an address that is refused]', () => {
  const good = { p256dh: '', auth: '' }
  test.each([
    ['without TLS', { endpoint: 'http://push.example/1' }],
    ['in a private network', { endpoint: 'https://10.0.0.7/1' }],
    ['with a password', { endpoint: 'https://a:b@push.example/1' }],
    ['of no end', { endpoint: `https://127.0.0.1/${'x'.repeat(3000)}` }],
    ['that is none', { endpoint: 'push' }],
    ['without keys', good],
    ['with a key beside the curve', { p256dh: Buffer.alloc(65, 4).toString('base64url') }],
    ['with a longer secret', { auth: 'A'.repeat(40) }],
  ])('%s', async (_, more) => {
    const { answer } = await turnOn(await signedIn('staff'), more)
    expect(answer.status).toBe(422)
    expect(answer.body).toContain('That did not work. Allow notifications')
    expect(await subscriptions()).toEqual([])
  })

  test('nobody who is not signed in stores one', async () => {
    const address = service.subscribe('key')
    await on.person().send('/desk/devices', { do: 'push_on', ...address })
    expect(await subscriptions()).toEqual([])
  })
})

test('[push subscriptions] a browser has one, a person at most 20, and the database no address in plain text', async () => {
  const one = await notified('staff')
  const { address } = await turnOn({
    ...one,
    open: async (url) => ({ ...(await one.open(url)), body: '' }),
  } as typeof one)
  const [row, ...others] = await subscriptions()
  expect(others).toEqual([])
  expect(JSON.stringify(row)).not.toContain(new URL(address.endpoint).pathname)
  for (let index = 0; index < 21; index++) {
    const more = on.person()
    await more.send(await one.who.link())
    await turnOn({ ...more, who: one.who })
  }
  expect(await subscriptions()).toHaveLength(20)
})

describe('[the answer of a push service]', () => {
  test.each([404, 410])('%d ends the subscription', async (status) => {
    await notified('staff')
    await booked()
    service.answer = status
    await arrivals()
    expect(await subscriptions()).toEqual([])
  })

  test.each([400, 403, 413])('%d gives the message up, and the next one is sent', async (status) => {
    await notified('staff')
    await booked()
    service.answer = status
    await arrivals()
    expect([await messages(), (await subscriptions()).length]).toEqual([[], 1])
    service.answer = undefined
    await booked()
    expect(await arrivals()).toHaveLength(1)
  })

  test.each([500, 503, 429] as const)('%d is tried again later, each time later', async (status) => {
    await notified('staff')
    await booked()
    service.answer = status
    await arrivals()
    const calls = service.calls
    await arrivals(59)
    expect(service.calls).toBe(calls)
    await arrivals(1)
    expect(service.calls).toBe(calls + 1)
    service.answer = undefined
    expect(await arrivals(299)).toEqual([])
    const [sent, ...others] = await arrivals(1)
    expect([sent?.payload.title, others]).toEqual(['New booking', []])
    expect(sent?.headers.ttl).toBe(String(86_400 - 360))
    expect(await subscriptions()).toMatchObject([{ failures: 0, resting_until: null }])
  })

  test.each([
    ['600', 600],
    ['0', 60],
    ['999999999', 6 * 3600],
    ['soon', 60],
    ['9'.repeat(1000), 60],
  ])('429 with the delay %s is tried again after as many seconds, within limits', async (header, seconds) => {
    await notified('staff')
    await booked()
    service.answer = 429
    service.answerHeaders = { 'retry-after': header }
    await arrivals()
    service.answer = undefined
    expect(await arrivals(seconds - 1)).toEqual([])
    expect(await arrivals(1)).toHaveLength(1)
  })

  test('a failure delays no other browser, and the message ends after a day', async () => {
    const slow = await notified('staff')
    await booked()
    service.answer = 503
    await arrivals()
    service.answer = undefined
    const quick = await notified('staff')
    await booked()
    expect((await arrivals()).map(({ path }) => path)).toEqual([new URL(quick.address.endpoint).pathname])
    expect(await messages()).toHaveLength(2)
    expect(await arrivals(24 * 3600)).toEqual([])
    expect(await messages()).toEqual([])
    expect(slow.address.endpoint).not.toBe(quick.address.endpoint)
  })
})

test('[push messages] two servers send each message once', async () => {
  await notified('staff')
  await notified('owner')
  for (let index = 0; index < 3; index++) await booked()
  const [one, other] = await Promise.all([arrivals(), arrivals()])
  expect([...(one ?? []), ...(other ?? [])]).toHaveLength(6)
})

test('[push messages] news from before the subscription are not sent', async () => {
  await notified('staff')
  await booked()
  shop.minutesLater(1)
  const late = await notified('staff')
  expect((await arrivals()).map(({ path }) => path)).not.toContain(new URL(late.address.endpoint).pathname)
})

test('[push messages] without a subscription, no news are stored', async () => {
  await arrivals()
  await db.deleteFrom('staff_news').execute()
  await booked()
  expect(await db.selectFrom('staff_news').selectAll().execute()).toEqual([])
})
