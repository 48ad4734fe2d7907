import { expect, test } from 'vitest'
import { restDesk } from '../support/desk.ts'
import { twilioCall, twilioSettings, twilioStandIn } from '../texts/provider-stand-ins.ts'
import { textingShop } from '../texts/texting-shop.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const [twilio, shop] = await Promise.all([
  twilioStandIn(),
  textingShop(salon({ website: { contact: { phone: '+12125550100' } } })),
])
const browser = visitor(shop)
const DAY = '/book/svc_haircut?day=2026-11-24&place=loc_downtown'
const BOX = 'name="texts"'

/** The page on which a buyer enters their details, and its address. */
async function details() {
  const page = await browser.open(DAY)
  const held = await browser.press(page, browser.times(page)[0]?.time ?? '')
  const address = held.headers.location ?? ''
  return { address, page: await browser.open(address) }
}

const consents = async () =>
  (await shop.runtime.db.selectFrom('bookings').select('people').orderBy('created_at').execute()).map(
    ({ people }) => Object(people).buyer.consent,
  )

test('[consent to text messages] without a provider nobody is asked', async () => {
  expect((await details()).page.body).not.toContain(BOX)
})

test('[consent to text messages] the box is empty at first, and says how to end the messages and where they go', async () => {
  await shop.enter(restDesk(shop), twilioSettings(twilio))
  const { page } = await details()
  expect(page.body).toMatch(/<input type="checkbox" id="texts" name="texts" value="on" aria-describedby="texts-hint">/)
  expect(page.body).toContain('Answer STOP to end the messages at any time.')
  expect(page.body).toContain('Only to numbers in United States and Germany')
})

test('[consent to text messages] where the sender is a name, nobody is told to answer', async () => {
  await shop.enter(restDesk(shop), twilioSettings(twilio, { sender: 'Salon' }))
  const { page } = await details()
  expect(page.body).not.toContain('STOP')
  expect(page.body).toContain('To end the messages, contact Glamour Salon.')
  await shop.enter(restDesk(shop), twilioSettings(twilio))
})

test('[consent to text messages] who ticks it gets the confirmation, and who does not gets none', async () => {
  await browser.book(DAY, { ...ROSA, texts: 'on' })
  await browser.book(DAY, ROSA)
  expect(await consents()).toEqual([{ 'x-usp-text-messages': true }, undefined])
  await shop.send()
  expect(twilio.sent.map(({ to, text }) => [to, text.slice(0, 46)])).toEqual([
    ['+12125550143', 'Glamour Salon: Your booking is confirmed. Wome'],
  ])
})

test('[consent to text messages] it needs a phone number, and stays ticked when the form comes back', async () => {
  const { address } = await details()
  const answer = await browser.fill(address, { ...ROSA, phone: '', texts: 'on' })
  expect(answer.status).toBe(422)
  expect(answer.body).toContain('id="phone-error"')
  expect(answer.body).toMatch(/name="texts" value="on" aria-describedby="texts-hint" checked/)
})

test('[consent to text messages] on the waitlist: the offer goes out, and an answer is told how to accept it', async () => {
  const desk = restDesk(shop)
  const yoga = '/book/svc_yoga?day=2026-11-24'
  await browser.book(`${yoga}&party=8`)
  const booked = (await shop.runtime.db.selectFrom('bookings').select('id').orderBy('created_at', 'desc').execute())[0]
  const full = await browser.open(yoga)
  const queue = /href="(\/book\/svc_yoga\/waitlist[^"]*)"/.exec(full.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const page = await browser.open(queue)
  expect(page.body).toContain(BOX)
  shop.time.now = new Date(shop.time.now.getTime() + 5_000)
  const waiting = { ...ROSA, phone: '+12125550144', texts: 'on' }
  expect((await browser.send(queue, { ...waiting, form: browser.formOf(page).token })).status).toBe(303)
  const sentBy = async (work: () => Promise<unknown>) => {
    const before = twilio.sent.length
    await work()
    await shop.send()
    return twilio.sent.slice(before).filter(({ to }) => to === waiting.phone)
  }
  const [offer, ...others] = await sentBy(() =>
    desk.call('usp_business_bookings_cancel', { booking_id: booked?.id }, { as: shop.staff }),
  )
  expect(others).toEqual([])
  expect(offer?.text).toMatch(/^Glamour Salon: A spot is free for you\. .* https?:\/\/\S+\/waiting\/\S+$/)
  const url = `${shop.runtime.config.baseUrl}/text-messages/twilio`
  const call = twilioCall({ From: waiting.phone, Body: 'Yes please!', MessageSid: 'SM77' }, { url })
  const [answer] = await sentBy(() => shop.inject(call))
  expect(answer?.text).toMatch(
    /^Glamour Salon: Nobody reads messages to this number\. .* https?:\/\/\S+\/waiting\/\S+$/,
  )
})
