import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { sendDueMails } from '../../../../src/core/mails/mail-worker.ts'
import { ACCOUNT, TOKEN, twilioStandIn } from '../../../texts/provider-stand-ins.ts'
import { deskSalon } from '../receptionist.ts'

const [twilio, { shop, signedIn }] = await Promise.all([twilioStandIn(), deskSalon()])
const owner = await signedIn('owner')
const PATH = '/desk/setup/text-messages'
const entered: Record<string, string> = {
  do: 'save',
  adapter: 'twilio',
  url: twilio.url,
  account: ACCOUNT,
  secret: TOKEN,
  sender: '+12125550100',
  countries: 'us, de',
  topics: 'reminder',
  quiet_from: '21:00',
  quiet_until: '08:00',
  daily_limit: '200',
  price: '0,075',
}

/** Sends what is due, as the background thread does. */
let isOver = false
const worker = (async () => {
  for (; !isOver; await sleep(100)) {
    shop.time.now = new Date(shop.time.now.getTime() + 1_000)
    await sendDueMails(shop.runtime)
  }
})()
afterAll(() => {
  isOver = true
  return worker
})

test('[text messages] an owner enters the provider, sends a test message, reads the answer and removes it', async () => {
  expect((await owner.open('/desk/setup')).body).toContain(`<a href="${PATH}">Text messages</a>`)
  expect((await owner.open(PATH)).body).not.toContain('Send a test message')
  const saved = await owner.send(PATH, entered)
  expect([saved.status, saved.headers.location]).toEqual([303, `${PATH}?saved`])
  const { body } = await owner.open(`${PATH}?saved`)
  for (const shown of [
    'A secret is stored.',
    'value="US DE"',
    'value="0.075"',
    '/text-messages/twilio',
    'Last 30 days',
  ])
    expect(body).toContain(shown)
  expect(body).toMatch(/value="reminder" checked/)
  expect(body).not.toMatch(/value="confirmed" checked/)
  expect(body).not.toContain(TOKEN)
  await sleep(1_100)
  expect((await owner.send(PATH, { do: 'test', to: '(212) 555-0171' })).status).toBe(303)
  expect(twilio.sent.map(({ to }) => to)).toEqual(['+12125550171'])
  expect((await owner.open(PATH)).body).toContain('The provider accepted the test message.')
  expect((await owner.open(PATH)).body).toContain('1 message (segments: 1). Estimated cost: $0.08.')
  await owner.send(PATH, { ...entered, secret: 'wrong' })
  await sleep(1_100)
  await owner.send(PATH, { do: 'test', to: '+12125550171' })
  expect((await owner.open(PATH)).body).toContain('The test message was not sent.')
  await owner.send(PATH, { do: 'remove' })
  expect((await owner.open(PATH)).body).not.toContain('A secret is stored.')
})

test.each([
  [{ url: 'http://10.1.2.3' }, 'url', 'Enter a public address that begins with https://'],
  [{ account: 'AC12' }, 'account', 'Twilio: enter the Account SID'],
  [{ account: `AC${'f'.repeat(32)}`, secret: '' }, 'secret', 'Enter the secret of this account.'],
  [{ sender: 'A name that is too long' }, 'sender', 'Enter a phone number such as'],
  [{ countries: 'Germany' }, 'countries', 'Enter codes of two letters'],
  [{ countries: '' }, 'countries', 'Enter codes of two letters'],
  [{ topics: 'none' }, 'topics', 'Choose at least one kind of message.'],
  [{ quiet_until: '' }, 'quiet_until', 'Enter both times, or neither.'],
  [{ daily_limit: '0' }, 'daily_limit', 'Enter a whole number from 1 to 100000.'],
  [{ daily_limit: 'x' }, 'daily_limit', 'Enter a whole number from 1 to 100000.'],
  [{ price: 'cheap' }, 'price', 'Write the price like 0.075.'],
])('[text messages] what is wrong is said at its field: %j', async (wrong, field, text) => {
  const { status, body } = await owner.send(PATH, { ...entered, ...wrong })
  expect(status).toBe(409)
  expect(body).toContain(`<a href="#${field}">`)
  expect(body).toMatch(new RegExp(`id="${field}-error">${text}`))
})

test('[text messages] a test message goes to a phone number only', async () => {
  await owner.send(PATH, entered)
  const { status, body } = await owner.send(PATH, { do: 'test', to: 'nobody' })
  expect([status, body.includes('<a href="#to">')]).toEqual([409, true])
})

test('[text messages] managers see neither the page nor its link', async () => {
  const manager = await signedIn('manager')
  expect((await manager.open('/desk/setup')).body).not.toContain(PATH)
  expect((await manager.open(PATH)).status).toBe(403)
  expect((await manager.send(PATH, entered)).status).toBe(403)
})
