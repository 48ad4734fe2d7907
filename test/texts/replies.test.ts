import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { meaningOf } from '../../src/core/texts/meaning-of-reply.ts'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import { studio } from '../desk/studio.ts'
import { restDesk } from '../support/desk.ts'
import {
  gatewaySettings,
  gatewayStandIn,
  TOKEN,
  twilioCall,
  twilioSettings,
  twilioStandIn,
} from './provider-stand-ins.ts'
import { AGREED, ANN, bookAtDesk, textingShop } from './texting-shop.ts'

const [twilio, gateway, shop] = await Promise.all([twilioStandIn(), gatewayStandIn(), textingShop(studio)])
const desk = restDesk(shop)
const { baseUrl } = shop.runtime.config

const asTwilio = (fields: Record<string, string>, more: { token?: string; url?: string } = {}) =>
  twilioCall(fields, { url: `${baseUrl}/text-messages/twilio`, ...more })

function asGateway(body: object, { token = TOKEN, at = shop.time.now } = {}) {
  const payload = JSON.stringify(body)
  const seconds = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', token).update(`${seconds}.${payload}`).digest('hex')
  return {
    method: 'POST' as const,
    url: '/text-messages/http',
    payload,
    headers: { 'content-type': 'application/json', 'usp-signature': `t=${seconds},v1=${signature}` },
  }
}

const number = '+12125550181'
let messages = 0
const reply = (Body: string, From = number) =>
  shop.inject(asTwilio({ MessageSid: `SM${++messages}`, From, Body, To: '+12125550100' }))
const bookFor = (phone_number: string, more: object = {}) =>
  bookAtDesk(desk, shop, { ...ANN, ...AGREED, phone_number, ...more })
/** What goes out now, to a number. */
const sentTo = async (to: string) => {
  const before = twilio.sent.length
  await shop.send()
  return twilio.sent.slice(before).filter((one) => one.to === to)
}
const booked = async (to = number) => {
  await bookFor(to)
  return (await sentTo(to)).length
}

test('[replies] STOP ends the messages at once, also those that wait and those of later bookings', async () => {
  await shop.enter(desk, twilioSettings(twilio))
  expect(await booked()).toBe(1)
  await bookAtDesk(desk, shop, { ...ANN, ...AGREED, phone_number: number })
  const answer = await reply('Stop.')
  expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([200, 'text/xml', '<Response/>'])
  // It comes twice.
  expect((await reply('STOP')).statusCode).toBe(200)
  expect(await booked()).toBe(0)
  expect((await shop.texts()).slice(-2)).toMatchObject([{ status: 'dropped' }, { status: 'dropped' }])
  const test = await desk.call('usp_business_text_provider_test', { to: number }, { as: await shop.staffAs('owner') })
  expect(test.code).toBe('validation_error')
})

test('[replies] START allows them again', async () => {
  expect((await reply('start')).statusCode).toBe(200)
  expect(await booked()).toBe(1)
})

test('[replies] STOP is kept when the person is erased, and the database has no number', async () => {
  await reply('STOP')
  await desk.call('usp_business_buyers_erase', { email: ANN.email }, { as: shop.staff })
  expect(await booked()).toBe(0)
  expect(JSON.stringify(await shop.runtime.db.selectFrom('stopped_numbers').selectAll().execute())).not.toContain('555')
  await reply('START')
})

test.each([
  ['another token', asTwilio({ From: number, Body: 'STOP' }, { token: 'another' })],
  [
    'another address',
    asTwilio({ From: number, Body: 'STOP' }, { url: 'https://elsewhere.example/text-messages/twilio' }),
  ],
  ['no signature', { ...asTwilio({ From: number, Body: 'STOP' }), headers: {} }],
  ['a changed number', { ...asTwilio({ From: number, Body: 'STOP' }), payload: 'From=%2B12125550182&Body=STOP' }],
])('[replies] a call with %s is refused, and changes nothing', async (_, call) => {
  const answer = await shop.inject(call)
  expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request'])
  expect(await booked()).toBe(1)
})

test('[replies] only the address of the provider in use answers', async () => {
  expect((await shop.inject(asGateway({ from: number, text: 'STOP' }))).statusCode).toBe(404)
  expect((await shop.inject({ method: 'GET', url: '/text-messages/twilio' })).statusCode).toBe(405)
})

test.each([
  ['Can I come later?', '+12125550183'],
  ['', '+12125550184'],
  ['stop it please', '+12125550185'],
  // Nothing was stopped.
  ['START', '+12125550186'],
  // There was no reminder.
  ['1', '+12125550187'],
])('[replies] %j is for a person: it stops nothing, and is answered once a day', async (text, from) => {
  await booked(from)
  expect((await reply(text, from)).statusCode).toBe(200)
  await reply(`${text} again`, from)
  const [answer, ...others] = await sentTo(from)
  expect(others).toEqual([])
  expect(answer?.text).toMatch(
    /^Test Studio: Nobody reads messages to this number\. Please contact us in another way\. https?:\/\/\S+\/manage\/\S+$/,
  )
  expect(await booked(from)).toBe(1)
  shop.minutesLater(24 * 60 + 1)
  await reply('Hello?', from)
  expect(await sentTo(from)).toHaveLength(1)
})

test('[replies] a number that got no message gets no answer either, so that strangers cause no costs', async () => {
  await reply('Who is this?', '+12125550198')
  await reply('1', '+12125550198')
  expect(await sentTo('+12125550198')).toEqual([])
})

test('[replies] during the quiet hours, an answer goes out at once, and no message about the booking is lost', async () => {
  const from = '+12125550188'
  const { now } = shop.time
  await booked(from)
  await shop.enter(desk, twilioSettings(twilio, { quiet_from: '21:00', quiet_until: '08:00' }))
  // 23:00 in New York.
  shop.time.now = new Date('2026-11-22T04:00:00Z')
  const { id } = await bookFor(from)
  await reply('Are you there?', from)
  expect((await sentTo(from)).map(({ text }) => text)).toEqual([expect.stringContaining('Nobody reads')])
  shop.time.now = new Date('2026-11-22T13:00:00Z')
  expect((await sentTo(from)).map(({ text }) => text)).toEqual([expect.stringContaining('is confirmed')])
  expect((await shop.texts()).filter(({ subject }) => subject === `booking ${id}`)).toMatchObject([{ status: 'sent' }])
  await shop.enter(desk, twilioSettings(twilio))
  shop.time.now = now
})

const begin = shop.time.now

/** A booking whose buyer got a reminder as a text message. */
async function reminded(from: string, more: object = {}) {
  shop.time.now = begin
  const booking = await bookFor(from, more)
  shop.time.now = new Date(Date.parse(booking.slot.start) - 23 * 3_600_000)
  await remind(shop.runtime, shop.time.now)
  const texts = (await sentTo(from)).map(({ text }) => text)
  expect(texts.at(-1)).toContain('Reminder of your booking')
  return { booking, texts }
}
const attendingOf = async ({ id }: { id: string }) => {
  const { record } = await shop.runtime.db
    .selectFrom('bookings')
    .select('record')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return (record as { attending?: string }).attending
}

test('[replies] a reminder asks for the answer 1, which confirms the visit as the link does, and is thanked for', async () => {
  const from = '+12125550190'
  const { booking, texts } = await reminded(from)
  expect(texts.at(-1)).toMatch(/Reminder of your booking\. .* Reply 1 to confirm\. https?:\/\/\S+\/attend\/\S+$/)
  expect((await reply(' 1. ', from)).statusCode).toBe(200)
  expect(await attendingOf(booking)).toBe(shop.time.now.toISOString())
  expect((await sentTo(from)).map(({ text }) => text)).toEqual([
    expect.stringMatching(/^Test Studio: Thank you, you confirmed Service svc_cut, /),
  ])
  const changes = await shop.runtime.db.selectFrom('changes').selectAll().where('action', '=', 'attend').execute()
  expect(changes).toMatchObject([{ actor: 'buyer', subject: `booking ${booking.id}` }])
  // A second answer changes nothing, and is understood.
  await reply('1', from)
  expect(await sentTo(from)).toEqual([])
  expect(await shop.runtime.db.selectFrom('changes').selectAll().where('action', '=', 'attend').execute()).toHaveLength(
    1,
  )
})

test('[replies] the same call of the provider again confirms nothing, even for a later visit', async () => {
  const from = '+12125550191'
  const call = asTwilio({ MessageSid: 'SM900', From: from, Body: '1' })
  const first = await reminded(from)
  await shop.inject(call)
  expect(await attendingOf(first.booking)).toBeDefined()
  const second = await reminded(from)
  expect((await shop.inject(call)).statusCode).toBe(200)
  expect(await attendingOf(second.booking)).toBeUndefined()
})

test('[replies] two people with one phone: each answer confirms one visit, the one of the last reminder first', async () => {
  const from = '+12125550192'
  shop.time.now = begin
  const [one, other] = [await bookFor(from), await bookFor(from, { email: 'ben@example.com' })]
  shop.time.now = new Date(Date.parse(one.slot.start) - 23 * 3_600_000)
  await remind(shop.runtime, shop.time.now)
  await sentTo(from)
  await reply('1', from)
  const confirmed = async () => [await attendingOf(one), await attendingOf(other)].filter(Boolean).length
  expect(await confirmed()).toBe(1)
  await reply('1!', from)
  expect(await confirmed()).toBe(2)
  const thanks = (await sentTo(from)).map(({ text }) => text)
  expect(thanks.filter((text) => text.includes('Thank you'))).toHaveLength(2)
})

test.each<[string, (booking: { id: string; slots: { id: string }[] }) => Promise<unknown>]>([
  [
    'was moved since the reminder',
    ({ id, slots }) =>
      desk.call('usp_business_bookings_reschedule', { booking_id: id, slot_id: slots.at(-1)?.id }, { as: shop.staff }),
  ],
  ['was canceled', ({ id }) => desk.call('usp_business_bookings_cancel', { booking_id: id }, { as: shop.staff })],
  [
    'has another phone number now',
    ({ id }) =>
      desk.call(
        'usp_business_bookings_correct',
        { booking_id: id, buyer: { phone_number: '+12125550197', ...AGREED } },
        { as: shop.staff },
      ),
  ],
  ['began', async () => shop.minutesLater(24 * 60)],
])('[replies] the answer 1 confirms no visit that %s', async (_, change) => {
  const from = `+1212555${String(110 + nth++).padStart(4, '0')}`
  const { booking } = await reminded(from)
  await change(booking)
  await reply('1', from)
  expect(await attendingOf(booking)).toBeUndefined()
})
let nth = 0

test('[replies] a sender that nobody can answer asks for no answer', async () => {
  await shop.enter(desk, twilioSettings(twilio, { sender: 'Studio' }))
  const { texts } = await reminded('+12125550193')
  expect(texts.at(-1)).toContain('/attend/')
  expect(texts.join()).not.toMatch(/Reply/)
  await shop.enter(desk, twilioSettings(twilio))
})

test('[replies] the first message says how to end the messages', async () => {
  await bookFor('+12125550194')
  expect((await sentTo('+12125550194')).map(({ text }) => text)).toEqual([
    expect.stringContaining('Reply STOP to end these messages.'),
  ])
})

test('[replies] after an erasure, the number is unknown: the answer 1 confirms nothing and gets no answer', async () => {
  const from = '+12125550195'
  const { booking } = await reminded(from, { email: 'gone@example.com' })
  await desk.call('usp_business_buyers_erase', { email: 'gone@example.com' }, { as: shop.staff })
  await reply('1', from)
  expect(await attendingOf(booking)).toBeUndefined()
  expect(await sentTo(from)).toEqual([])
})

test('[replies] a call that is too large is refused', async () => {
  expect((await reply('a'.repeat(20_000))).statusCode).toBe(413)
})

test('[replies] a sender that is no number is ignored', async () => {
  expect((await reply('STOP', 'Salon')).statusCode).toBe(200)
  expect((await reply('STOP', '+1'.padEnd(5_000, '2'))).statusCode).toBe(200)
})

test('[replies] a program of the business signs them with the time', async () => {
  await shop.enter(desk, gatewaySettings(gateway))
  const call = asGateway({ from: number, text: 'STOP' })
  for (const forged of [
    asGateway({ from: number, text: 'STOP' }, { token: 'another' }),
    asGateway({ from: number, text: 'STOP' }, { at: new Date(shop.time.now.getTime() - 301_000) }),
    { ...call, headers: { ...call.headers, 'usp-signature': 't=,v1=' } },
    { ...call, payload: `${call.payload} ` },
  ])
    expect((await shop.inject(forged)).statusCode).toBe(400)
  expect((await shop.inject(asGateway({ from: 7 }))).statusCode).toBe(200)
  expect((await shop.inject({ ...asGateway({}), payload: 'x' })).statusCode).toBe(400)
  expect((await shop.inject(call)).statusCode).toBe(200)
  const before = gateway.sent.length
  await bookAtDesk(desk, shop, { ...ANN, ...AGREED, phone_number: number })
  await shop.send()
  expect(gateway.sent.length - before).toBe(0)
  // No log has the number or the text.
  expect(shop.logged.join()).not.toContain('2125550181')
})

test.each([
  ['STOP', 'stop'],
  [' stop! ', 'stop'],
  ['Arrêt', 'stop'],
  ['إيقاف', 'stop'],
  ['START', 'start'],
  ['1', 'confirm'],
  ['１', 'confirm'],
  [' ١ ', 'confirm'],
  ['11', undefined],
  ['YES', 'start'],
  ['STOPS', undefined],
])('[replies] %j means %s', (text, meaning) => {
  expect(meaningOf(text)).toBe(meaning)
})
