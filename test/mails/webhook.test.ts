import { expect, test, vi } from 'vitest'
import { postMessage } from '../../src/core/mails/post-mail-to-webhook.ts'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import { testReceiver } from '../support/receiver.ts'
import { ALL_WELL, verified } from '../support/verify-signature.ts'
import { mailingShop } from './mailing-shop.ts'
import { postOffice } from './post-office.ts'

const office = await postOffice()
const receiver = await testReceiver()
const shop = await mailingShop(office, {
  notifications: { webhook: receiver.url },
  mails: { staff: ['ann@salon.example'] },
})

const rowOf = async (channel: string) => (await shop.rows()).filter((row) => row.channel === channel).at(-1)

test('the webhook gets the same message as data, signed with the keys of the profile', async () => {
  const to = { email: 'alice@example.com', phone: '+12125550171', locale: 'en-GB' }
  const actions = [{ label: 'View booking', url: 'https://salon.example/b/1' }]
  await shop.tell({ rows: [['When', 'Tuesday at 10:00']], actions }, { subject: 'booking bkg_1', to })
  await shop.sendAfter()
  expect(office.arrivals).toHaveLength(1)
  const [message] = receiver.received
  expect(message?.body).toEqual({
    id: (await rowOf('webhook'))?.id,
    kind: 'booking.confirmed',
    about: 'booking bkg_1',
    audience: 'buyer',
    recipient: { email: 'alice@example.com', phone: '+12125550171' },
    language: 'en-GB',
    timestamp: shop.time.now.toISOString(),
    subject: 'Booked',
    text: expect.stringMatching(/^You are booked\n\n.*When: Tuesday at 10:00.*https:\/\/salon\.example\/b\/1$/s),
    rows: [{ name: 'When', value: 'Tuesday at 10:00' }],
    actions,
  })
  const { keys } = (await shop.rest('GET', '/.well-known/usp')).body
  const host = new URL(receiver.url).host
  expect(message && (await verified(message, host, keys))).toEqual(ALL_WELL)
})

test('the webhook has ten seconds to answer in', async () => {
  const asked = vi.spyOn(AbortSignal, 'timeout')
  await shop.tell()
  await shop.sendAfter()
  expect(asked.mock.calls).toContainEqual([10_000])
  asked.mockRestore()
})

test('what is for the staff comes once, and names no recipient', async () => {
  receiver.received.length = 0
  await shop.tell({}, { to: 'staff' })
  await shop.sendAfter()
  expect(receiver.received.map(({ body }) => [body.audience, body.recipient])).toEqual([['staff', {}]])
  expect(office.arrivals.at(-1)?.to).toEqual(['ann@salon.example'])
})

test('what it does not take is tried again like a mail, and holds up no mail', async () => {
  receiver.received.length = 0
  receiver.answer = 503
  await shop.tell({ subject: 'Not taken' })
  await shop.sendAfter()
  expect(await rowOf('webhook')).toMatchObject({ status: 'waiting', attempts: 1, problem: 'answered 503' })
  expect(await rowOf('mail')).toMatchObject({ status: 'sent' })
  receiver.answer = 204
  await shop.sendAfter(60)
  const ids = receiver.received.map(({ body }) => body.id)
  expect(ids).toHaveLength(2)
  expect(new Set(ids).size).toBe(1)
  expect(await rowOf('webhook')).toMatchObject({ status: 'sent' })
})

test.each(['http://127.0.0.1:9/', 'https://10.0.0.7/', 'https://a:b@hooks.example/'])(
  'an address that may not be called is said so once: %s',
  async (url) => {
    const mail = { phone: null, problem: null, ended_at: null, snapshot: {}, traceparent: null, resent: 0 }
    const base = { id: 'mail_1', channel: 'webhook', kind: 'x', subject: 'booking b', audience: 'buyer' } as const
    const rest = { recipient: '', locale: 'en', status: 'waiting', attempts: 0, begun: 1 } as const
    const row = { ...mail, ...base, ...rest, next_at: shop.time.now, created_at: shop.time.now }
    const letter = { subject: 'x', heading: 'x', paragraphs: [] }
    const answer = await postMessage(url, row, { letter, localizer: englishLocalizer() }, shop.runtime)
    expect(answer).toMatchObject({ result: 'hopeless' })
  },
)
