import { expect, test } from 'vitest'
import { channelsOf, outboxFor } from '../../src/core/mails/build-queued-mails.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import type { StoredTextProvider } from '../../src/infra/config/text-provider.ts'
import type { NewMail } from '../../src/infra/db/queued-mail-types.ts'
import { businessWith } from '../support/definitions.ts'
import { mailingShop } from './mailing-shop.ts'
import { postOffice } from './post-office.ts'

const office = await postOffice()
const shop = await mailingShop(office)
const { runtime, time } = shop
const mail = (more: Partial<NewMail> = {}): NewMail => ({
  kind: 'booking.confirmed',
  subject: 'booking bkg_1',
  to: { email: 'alice@example.com' },
  snapshot: { subject: 'Booked' },
  ...more,
})

test('a mail is written with the change that causes it, and not without it', async () => {
  const failing = runtime.makeChange(async (tx) => {
    tx.queueMail(mail(), time.now)
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await shop.sendAfter()
  expect(await shop.rows()).toEqual([])
  await runtime.makeChange(async (tx) => tx.queueMail(mail(), time.now))
  expect(await shop.rows()).toMatchObject([
    { channel: 'mail', status: 'waiting', first: true, recipient: 'alice@example.com' },
  ])
  expect(office.arrivals).toEqual([])
  await shop.sendAfter()
  expect(office.arrivals).toHaveLength(1)
})

test('what a letter is made of when it is sent is what was so when it was written', async () => {
  await runtime.makeChange(async (tx) => {
    const snapshot = { subject: 'As it was' }
    tx.queueMail(mail({ snapshot }), time.now)
    snapshot.subject = 'As it became'
  })
  await shop.sendAfter()
  expect(office.arrivals.at(-1)?.mail.subject).toBe('As it was')
})

const buyer = { email: 'alice@example.com', phone: '+12125550171' }
const definition = businessWith([], {
  mails: { staff: ['ann@salon.example', 'bob@salon.example'] },
  notifications: { webhook: 'https://hooks.example/' },
})
const rows = (to: NewMail['to'], channels: ('mail' | 'webhook')[], more: Partial<typeof definition> = {}) =>
  outboxFor({ ...definition, ...more }, channels)(mail({ to }), time.now).map(
    ({ channel, audience, recipient, phone }) => [channel, audience, recipient, phone].join(' ').trim(),
  )

test('one row for each way and recipient, and none where there is no way', () => {
  expect(rows(buyer, [])).toEqual([])
  expect(rows('staff', [])).toEqual([])
  const [atMail, atHook] = ['buyer alice@example.com +12125550171', 'buyer alice@example.com +12125550171']
  expect(rows(buyer, ['mail', 'webhook'])).toEqual([`mail ${atMail}`, `webhook ${atHook}`])
  const staff = ['mail staff ann@salon.example', 'mail staff bob@salon.example']
  expect(rows('staff', ['mail', 'webhook'])).toEqual([...staff, 'webhook staff'])
})

test.each([
  ['mail', ['mail', 'webhook']],
  ['text', ['webhook', 'text']],
  [undefined, ['mail', 'webhook', 'text']],
] as const)('the webhook of the business gets a reminder by %s too', (by, expected) => {
  const provider = { countries: ['US'], topics: ['reminder'] } as StoredTextProvider
  const to = { ...buyer, textNumber: buyer.phone }
  const written = outboxFor(
    definition,
    ['mail', 'webhook'],
    provider,
  )(mail({ kind: 'booking.reminder', to, by }), time.now)
  expect(written.map(({ channel }) => channel)).toEqual(expected)
})

test.each([
  ['none', 'needed', 0],
  ['none', 'told anyway', 0],
  [undefined, 'needed', 1],
  [undefined, 'told anyway', 0],
  ['needed', 'needed', 1],
  ['needed', 'told anyway', 0],
  ['all', 'needed', 1],
  ['all', 'told anyway', 1],
  ['none', undefined, 1],
] as const)(
  'whoever booked through a platform gets what the business wants: %s of %s is %i',
  (wanted, platform, count) => {
    const mails = wanted && { mails: { platform_buyers: wanted } }
    expect(rows({ ...buyer, platform }, ['mail'], mails)).toHaveLength(count)
  },
)

test.each([
  [{ USP_MODE: 'development' }, undefined, ['mail']],
  [{ USP_MODE: 'production' }, undefined, []],
  [{ USP_MODE: 'production', SMTP_URL: office.url, MAIL_FROM: 'book@salon.example' }, undefined, ['mail']],
  [{ USP_MODE: 'production' }, 'https://hooks.example/', ['webhook']],
])('where %j and the webhook is %s there are these ways: %j', async (env, webhook, expected) => {
  const production = { DATABASE_URL: 'postgres://u@h/d', BASE_URL: 'https://x.example', USP_SECRET_KEY: 'x'.repeat(32) }
  const notifications = webhook === undefined ? {} : { notifications: { webhook } }
  const config = readConfig({ ...production, ...env })
  const business = { ...shop.runtime.business, mailServer: async () => undefined }
  expect(await channelsOf({ config, business }, businessWith([], notifications))).toEqual(expected)
})
