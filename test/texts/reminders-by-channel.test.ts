import { afterEach, expect, test } from 'vitest'
import { numberStop } from '../../src/core/texts/stopped-number-queries.ts'
import { remind } from '../../src/domain/bookings/send-reminders.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { START } from '../support/server.ts'
import {
  gatewaySettings,
  gatewayStandIn,
  type ProviderStandIn,
  twilioSettings,
  twilioStandIn,
} from './provider-stand-ins.ts'
import { AGREED, ANN, bookAtDesk, textingShop } from './texting-shop.ts'

const HOUR = 3_600_000
const byText = (before: string) => ({ before, by: 'text' as const })
const byMail = (before: string) => ({ before, by: 'mail' as const })
const remindedAt = (id: string, reminder: ServiceDefinition['reminder']) =>
  service(id, reminder === undefined ? {} : { reminder })

const [twilio, gateway] = await Promise.all([twilioStandIn(), gatewayStandIn()])
const services = [
  remindedAt('svc_old', 'PT2H'),
  remindedAt('svc_old_list', ['PT2H']),
  remindedAt('svc_unnamed', [{ before: 'PT2H' }]),
  remindedAt('svc_mail', [byMail('PT2H')]),
  remindedAt('svc_text', [byText('PT2H')]),
  remindedAt('svc_same_time', [byMail('PT2H'), byText('PT2H')]),
  remindedAt('svc_several', ['PT48H', byMail('P1D'), byText('PT2H')]),
  remindedAt('svc_usual', undefined),
]
const shop = await textingShop(businessWith(services, { reminder: [byText('PT2H')] }))
const desk = restDesk(shop)
await shop.enter(desk, twilioSettings(twilio))

afterEach(() => {
  shop.time.now = START
  twilio.next = 'send'
  gateway.next = 'send'
})

let next = 300
/** A person with an own phone number, because one number gets only a few messages a day. */
const person = () => ({ ...ANN, phone_number: `+1212555${String(next++).padStart(4, '0')}` })
const agreeing = () => ({ ...person(), ...AGREED })

type Booking = Awaited<ReturnType<typeof bookAtDesk>>

async function booked(buyer: object, service = 'svc_text'): Promise<Booking> {
  const booking = await bookAtDesk(desk, shop, buyer, service)
  expect(booking.status).toBe('confirmed')
  await shop.send()
  return booking
}

/** Sends the mails that a text message causes too. */
async function send() {
  await shop.send()
  await shop.send()
}

/** Looks for due reminders so many hours before the start. */
async function lookFor({ slot }: Booking, hours: number) {
  shop.time.now = new Date(Date.parse(slot.start) - hours * HOUR)
  await remind(shop.runtime, shop.time.now)
}

const rowsAbout = ({ id }: Booking) =>
  shop.runtime.db
    .selectFrom('mails')
    .selectAll()
    .where('subject', '=', `booking ${id}`)
    .where('kind', '=', 'booking.reminder')
    .orderBy('number')
    .execute()
const remindersAbout = async (booking: Booking) =>
  (await rowsAbout(booking)).map(({ channel, status }) => `${channel} ${status}`)

/** Returns the reminders of a new booking, two hours before the start. */
async function remindersOf(buyer: object, service?: string) {
  const booking = await booked(buyer, service)
  await lookFor(booking, 2)
  await send()
  return remindersAbout(booking)
}

test.each([
  ['svc_old', ['mail sent', 'text sent'], ['mail sent']],
  ['svc_old_list', ['mail sent', 'text sent'], ['mail sent']],
  ['svc_unnamed', ['mail sent', 'text sent'], ['mail sent']],
  ['svc_mail', ['mail sent'], ['mail sent']],
  ['svc_text', ['text sent'], ['mail sent']],
  ['svc_same_time', ['mail sent', 'text sent'], ['mail sent']],
  ['svc_usual', ['text sent'], ['mail sent']],
])('[channel of a reminder] %s: %j with a consent, and %j without', async (service, agreed, others) => {
  expect(await remindersOf(agreeing(), service)).toEqual(agreed)
  expect(await remindersOf(person(), service)).toEqual(others)
})

test('[channel of a reminder] by text: the buyer gets the same text as before, and no mail', async () => {
  const buyer = agreeing()
  await remindersOf(buyer)
  const texts = twilio.sent.filter(({ to }) => to === buyer.phone_number)
  expect(texts.at(-1)?.text).toMatch(/: Reminder of your booking\. /)
})

test('[channel of a reminder] by text: it is a mail for a number in another country, or without a number', async () => {
  expect(await remindersOf({ ...agreeing(), phone_number: '+43 664 1234567' })).toEqual(['mail sent'])
  const { phone_number: _, ...numberless } = agreeing()
  expect(await remindersOf(numberless)).toEqual(['mail sent'])
})

test('[channel of a reminder] by text: it is a mail if the owner did not choose text messages about reminders', async () => {
  await shop.enter(desk, twilioSettings(twilio, { topics: ['confirmed'] }))
  expect(await remindersOf(agreeing())).toEqual(['mail sent'])
  await shop.enter(desk, twilioSettings(twilio))
})

test('[channel of a reminder] several reminders: each comes once, through its channel', async () => {
  const booking = await booked(agreeing(), 'svc_several')
  const seen: Record<number, string[]> = {}
  for (const hours of [49, 48, 25, 24, 3, 2, 1]) {
    await lookFor(booking, hours)
    await lookFor(booking, hours)
    await send()
    seen[hours] = await remindersAbout(booking)
  }
  const [first, second, third] = [['mail sent', 'text sent'], ['mail sent'], ['text sent']]
  expect(seen).toEqual({
    49: [],
    48: first,
    25: first,
    24: [...first, ...second],
    3: [...first, ...second],
    2: [...first, ...second, ...third],
    1: [...first, ...second, ...third],
  })
})

test.each([
  [30, ['mail sent', 'text sent']],
  [20, ['mail sent']],
  [1, ['text sent']],
])(
  '[channel of a reminder] after an outage until %i hours before, the channel of the last one counts: %j',
  async (hours, expected) => {
    const booking = await booked(agreeing(), 'svc_several')
    await lookFor(booking, hours)
    await send()
    expect(await remindersAbout(booking)).toEqual(expected)
  },
)

const failures: [string, ProviderStandIn['next'], string][] = [
  ['knows the number as stopped', { status: 400, body: { code: 21_610, message: 'unsubscribed' } }, 'dropped'],
  ['refuses the number', { status: 400, body: { code: 21_211, message: 'not a number' } }, 'given_up'],
  ['does not know this server', { status: 401 }, 'given_up'],
  ['has an outage', { status: 503 }, 'given_up'],
  ['hangs up', 'hang up', 'given_up'],
  ['loses the answer', 'lose the answer', 'given_up'],
]
test.each(failures)('[reminder by text] if the provider %s, the mail goes out at once', async (_, answer, status) => {
  const booking = await booked(agreeing())
  await lookFor(booking, 2)
  twilio.next = answer
  await send()
  expect(await remindersAbout(booking)).toEqual([`text ${status}`, 'mail sent'])
  const [text, mail] = await rowsAbout(booking)
  expect(mail).toMatchObject({ recipient: ANN.email, audience: 'buyer', locale: text?.locale })
  // The staff have nothing to do.
  expect(text?.dismissed_at === null && text.status === 'given_up').toBe(false)
  twilio.next = 'send'
  shop.minutesLater(60)
  await send()
  expect(await remindersAbout(booking)).toEqual([`text ${status}`, 'mail sent'])
})

test('[reminder by text] a program of the business that is away gets one attempt too', async () => {
  await shop.enter(desk, gatewaySettings(gateway))
  const booking = await booked(agreeing())
  await lookFor(booking, 2)
  gateway.next = { status: 503 }
  const before = gateway.calls
  await send()
  shop.minutesLater(10)
  await send()
  expect([await remindersAbout(booking), gateway.calls - before]).toEqual([['text given_up', 'mail sent'], 1])
  await shop.enter(desk, twilioSettings(twilio))
})

test('[reminder by text] after STOP, and above the limits, the mail goes out', async () => {
  const stopped = agreeing()
  await numberStop(shop.runtime.db, stopped.phone_number, START)
  expect(await remindersOf(stopped)).toEqual(['text dropped', 'mail sent'])

  const busy = agreeing()
  const booking = await booked(busy)
  shop.time.now = new Date(Date.parse(booking.slot.start) - 3 * HOUR)
  for (let nth = 0; nth < 10; nth++) await bookAtDesk(desk, shop, busy, 'svc_mail').then(() => shop.send())
  await lookFor(booking, 2)
  await send()
  expect(await remindersAbout(booking)).toEqual(['text dropped', 'mail sent'])

  await shop.enter(desk, twilioSettings(twilio, { daily_limit: 1 }))
  expect(await remindersOf(agreeing())).toEqual(['text given_up', 'mail sent'])
  await shop.enter(desk, twilioSettings(twilio))
})

test('[reminder by text] after the provider was removed, the mail goes out', async () => {
  const booking = await booked(agreeing())
  await lookFor(booking, 2)
  await shop.runtime.db.deleteFrom('text_provider').execute()
  await shop.enter(desk, twilioSettings(twilio, { countries: ['AT'] }))
  await send()
  expect(await remindersAbout(booking)).toEqual(['text dropped', 'mail sent'])
  await shop.enter(desk, twilioSettings(twilio))
})

test('[reminder by text] it waits for the end of the quiet hours, unless the visit begins before', async () => {
  const booking = await booked(agreeing())
  const local = (time: number) =>
    new Date(time).toLocaleTimeString('en-GB', { timeZone: 'America/New_York' }).slice(0, 5)
  const start = Date.parse(booking.slot.start)
  await shop.enter(
    desk,
    twilioSettings(twilio, { quiet_from: local(start - 9 * HOUR), quiet_until: local(start - HOUR) }),
  )
  await lookFor(booking, 2)
  await send()
  expect(await remindersAbout(booking)).toEqual(['text waiting'])
  shop.time.now = new Date(start - HOUR)
  await send()
  expect(await remindersAbout(booking)).toEqual(['text sent'])

  shop.time.now = START
  const early = await booked(agreeing())
  const begins = Date.parse(early.slot.start)
  await shop.enter(desk, twilioSettings(twilio, { quiet_from: local(begins - 9 * HOUR), quiet_until: local(begins) }))
  await lookFor(early, 2)
  await send()
  expect(await remindersAbout(early)).toEqual(['text dropped', 'mail sent'])
  await shop.enter(desk, twilioSettings(twilio))
})

test('[reminder by text] an older message about the booking that the provider refuses does not hold it up', async () => {
  await shop.enter(desk, gatewaySettings(gateway))
  const [first] = await desk.slots('svc_text')
  shop.time.now = new Date(Date.parse(first.start) - 3 * HOUR)
  gateway.next = { status: 503 }
  const booking = await booked(agreeing())
  for (const minutes of [1, 5, 30]) {
    shop.minutesLater(minutes)
    await shop.send()
  }
  const texts = await shop.texts()
  expect(texts.at(-1)).toMatchObject({ kind: 'booking.confirmed', status: 'waiting', attempts: 4 })
  await lookFor(booking, 2)
  await send()
  expect(await remindersAbout(booking)).toEqual(['text given_up', 'mail sent'])
  await shop.enter(desk, twilioSettings(twilio))
})

test('[reminder by text] there is no mail if the visit has begun, or if a later message replaces it', async () => {
  const begun = await booked(agreeing())
  await lookFor(begun, 2)
  shop.time.now = new Date(Date.parse(begun.slot.start) + 1)
  await send()
  expect(await remindersAbout(begun)).toEqual(['text dropped'])

  shop.time.now = START
  const canceled = await booked(agreeing())
  await lookFor(canceled, 2)
  await desk.call('usp_business_bookings_cancel', { booking_id: canceled.id }, { as: shop.staff })
  await send()
  expect(await remindersAbout(canceled)).toEqual(['text dropped'])
})

test('[reminder by text] there is no mail after an erasure', async () => {
  const buyer = { ...agreeing(), email: 'gone@example.com' }
  const booking = await booked(buyer)
  await lookFor(booking, 2)
  await desk.call('usp_business_buyers_erase', { email: buyer.email }, { as: shop.staff })
  await send()
  expect(await remindersAbout(booking)).toEqual(['text dropped'])
})

test('[reminder by text] without an email address, there is no mail, and a failure waits in the inbox', async () => {
  const { email: _, ...nobody } = agreeing()
  const booking = await booked(nobody)
  await lookFor(booking, 2)
  twilio.next = { status: 401 }
  await send()
  expect(await rowsAbout(booking)).toMatchObject([{ channel: 'text', status: 'waiting', dismissed_at: null }])
})

test('[reminder by text] if the staff send it again, there is no second mail', async () => {
  const booking = await booked(agreeing())
  await lookFor(booking, 2)
  twilio.next = { status: 401 }
  await send()
  const [text] = await rowsAbout(booking)
  const again = { booking_id: booking.id, told_id: text?.id }
  await desk.call('usp_business_bookings_tell_again', again, { as: shop.staff })
  await send()
  const channels = (await rowsAbout(booking)).map(({ channel }) => channel)
  expect(channels).toEqual(['text', 'mail'])
})
