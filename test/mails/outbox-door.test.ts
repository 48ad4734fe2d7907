import { afterAll, expect, onTestFinished, test } from 'vitest'
import { makeMetrics } from '../../src/infra/telemetry/metrics.ts'
import { buildApp } from '../../src/server/build-http-app.ts'
import { letters } from './letters.ts'
import { mailingShop } from './mailing-shop.ts'

const shop = await mailingShop(undefined)
const app = await buildApp({ ...shop.runtime, letters, metrics: makeMetrics() })
afterAll(() => app.close())
const get = async (url: string, { headers = {}, remoteAddress = '127.0.0.1' } = {}) =>
  app.inject({ method: 'GET', url, headers: { host: '127.0.0.1:8080', ...headers }, remoteAddress })

/** But for the number that each has. */
const same = (body: string) => body.replace(/urn:uuid:[\w-]+/, '')

const calendar = { method: 'REQUEST', text: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' } as const
const hostile = '<script>alert(1)</script>'
await shop.tell({ subject: 'The first' })
await shop.tell({ subject: `Booked ${hostile}`, heading: hostile, calendar })
await shop.sendAfter()
const [, row] = await shop.rows()
const id = row?.id ?? ''

test('without a mail server a mail of a server in development is kept, and shown, the newest first', async () => {
  expect(await shop.rows()).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  const { statusCode, body, headers } = await get('/mails')
  expect(statusCode).toBe(200)
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^;]+'; frame-src 'self';/)
  expect(body.indexOf('Booked')).toBeLessThan(body.indexOf('The first'))
  expect(body).toContain(`href="/mails/${id}"`)
  expect(body).toContain('alice@example.com')
})

test('with a mail server what it is sent is shown, and nothing else is said', async () => {
  const told = async (config: typeof shop.runtime.config) => {
    const server = await buildApp({ ...shop.runtime, config, letters, metrics: makeMetrics() })
    onTestFinished(() => server.close())
    return (await server.inject({ url: '/mails', headers: { host: '127.0.0.1:8080' } })).body
  }
  const mail = { url: 'smtp://127.0.0.1:2525', from: 'book@example.com' }
  expect(await told(shop.runtime.config)).toContain('until SMTP_URL is set')
  const withServer = await told({ ...shop.runtime.config, mail })
  expect(withServer).toContain('The messages that the server sends through SMTP_URL')
  expect(withServer).not.toContain('until SMTP_URL is set')
})

test('one mail shows what it says, as text and as a page that runs nothing, and its calendar', async () => {
  const one = await get(`/mails/${id}`)
  expect(one.body).toContain(`<iframe src="/mails/${id}/html"`)
  expect(one.body).toContain('BEGIN:VCALENDAR')
  const shown = await get(`/mails/${id}/html`)
  expect(shown.headers['content-security-policy']).toMatch(/^default-src 'none';.*sandbox allow-popups/)
  expect(shown.headers['content-security-policy']).not.toContain('allow-scripts')
  expect(shown.headers['content-security-policy']).not.toContain('allow-same-origin')
  for (const { body } of [await get('/mails'), one, shown]) expect(body).not.toContain('<script')
  const file = await get(`/mails/${id}/calendar.ics`)
  expect(file.headers['content-type']).toBe('text/calendar; charset=utf-8; method=REQUEST')
  expect(file.body).toBe(calendar.text)
})

test('a mail without anybody any more says so', async () => {
  const { db } = shop.runtime
  await db.updateTable('mails').set({ snapshot: null, recipient: '' }).where('id', '=', id).execute()
  expect((await get(`/mails/${id}`)).body).toContain('a deleted recipient')
  expect((await get(`/mails/${id}/html`)).statusCode).toBe(404)
})

const paths = ['/mails', `/mails/${id}`, '/mails/none', `/mails/${id}/html`, `/mails/${id}/calendar.ics`]
const elsewhere = [
  ['another machine', { remoteAddress: '10.0.0.7' }],
  ['whoever a proxy on this machine speaks for', { headers: { 'x-forwarded-for': '10.0.0.7' } }],
  ['a page whose host name leads here', { headers: { host: 'evil.example:8080' } }],
] as const

test.each(elsewhere)(
  '[mails are for this machine] %s is told that there is nothing, as at any other address',
  async (_, ask) => {
    const nowhere = await get('/nowhere', ask)
    expect(nowhere.statusCode).toBe(404)
    for (const path of paths) {
      const { statusCode, body, headers } = await get(path, ask)
      expect([path, statusCode, same(body), Object.keys(headers).toSorted()]).toEqual([
        path,
        404,
        same(nowhere.body),
        Object.keys(nowhere.headers).toSorted(),
      ])
    }
  },
)

test('[mails are for this machine] pages of other origins cannot read them', async () => {
  const { headers } = await get('/mails', { headers: { origin: 'https://evil.example' } })
  expect(headers).not.toHaveProperty('access-control-allow-origin')
  expect(headers['cross-origin-resource-policy']).toBe('same-origin')
})

test('in production there is no such door', async () => {
  const production = { ...shop.runtime.config, mode: 'production' as const }
  const closed = await buildApp({ ...shop.runtime, config: production, letters, metrics: makeMetrics() })
  const has = (server: typeof app) => server.hasRoute({ method: 'GET', url: '/mails' })
  expect([has(app), has(closed)]).toEqual([true, false])
  await closed.close()
})
