import { expect, test } from 'vitest'
import { testShop } from '../support/desk.ts'
import { type Answer, START } from '../support/server.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const shop = await testShop(salon({ limits: { visitors: { bookings: 1, waitlist: 1 } } }), {
  env: { TRUST_PROXY: '127.0.0.1' },
})
const from = (address: string) => visitor(shop, { 'x-forwarded-for': address })

/** What was written is still there, with why it was not taken and when it may be. */
function expectFormAgain({ status, body, headers }: Answer) {
  expect(status).toBe(429)
  expect(body).toContain('value="rosa@example.com"')
  expect(body).toContain('<form method="post"')
  expect(body).not.toContain('Too many requests')
  const seconds = Number(headers['retry-after'])
  const minutes = Math.ceil(seconds / 60)
  expect(seconds).toBeGreaterThan(0)
  const when = minutes > 120 ? 'another day' : minutes === 1 ? 'in a minute' : `in ${minutes} minutes`
  expect(body).toContain(`Try again ${when}, or contact us.`)
}

test('[one network books so much at once] who books one too many keeps what was written', async () => {
  const browser = from('203.0.113.10')
  expect((await browser.book('/book/svc_haircut')).done.status).toBe(303)
  expectFormAgain((await browser.book('/book/svc_haircut')).done)
  const german = visitor(shop, { 'x-forwarded-for': '203.0.113.10', 'accept-language': 'de' })
  expect((await german.book('/book/svc_haircut')).done.body).toMatch(/Versuchen Sie es in \d+ Minuten noch einmal/)
  expect((await from('203.0.113.11').book('/book/svc_haircut')).done.status).toBe(303)
})

test('[one network waits for so much at once] who queues once too often keeps what was written', async () => {
  const url = '/book/svc_yoga?day=2026-11-24'
  expect((await from('203.0.113.20').book(`${url}&party=8`)).done.status).toBe(303)
  const browser = from('203.0.113.21')
  const full = await browser.open(url)
  const queue = /href="(\/book\/svc_yoga\/waitlist[^"]*)"/.exec(full.body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect((await browser.fill(queue, { ...ROSA, email: 'ann@example.com' })).status).toBe(303)
  expectFormAgain(await browser.fill(queue, ROSA))
})

test('[one network calls so often] who books in the minute in which it has called enough keeps what was written', async () => {
  const other = await testShop(salon({ limits: { visitors: { calls: 1 } } }))
  const browser = visitor(other)
  const page = await browser.open('/book/svc_haircut')
  const { headers } = await browser.press(page, browser.times(page)[0]?.time ?? '')
  expectFormAgain(await browser.fill(headers.location ?? '', ROSA))
  other.time.now = new Date(START.getTime() + 90_000)
  expect((await browser.fill(headers.location ?? '', ROSA)).status).toBe(303)
})
