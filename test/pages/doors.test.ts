import { describe, expect, test } from 'vitest'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { browser, continueUrl, linkIn, pathOf, studio } from './shop.ts'

const shop = await testShop(studio(), { env: { BASE_URL: 'https://book.example' } })
const desk = restDesk(shop)
const page = browser(shop)

const [slot] = await desk.slots('svc_waiver')
const { booking } = (await desk.book(slot)).data
const waiver = continueUrl(booking, 'waiver')
const [, , id, , secret = ''] = pathOf(waiver).split('/')

const changed = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
describe.each([
  ['another secret', `/booking/${id}/waiver/${changed}`],
  ['part of the secret', `/booking/${id}/waiver/${secret.slice(0, -1)}`],
  ['letters of more bytes', `/booking/${id}/waiver/${encodeURIComponent('é'.repeat(secret.length))}`],
  ['the secret of another page', `/booking/${id}/manage/${secret}`],
  ['a page that there is not', `/booking/${id}/refund/${secret}`],
  ['a booking that there is not', `/booking/bkg_none/waiver/${secret}`],
  ['a way that there is not', `/booking/${id}/waiver/${secret}/back`],
])('with %s', (_, path) => {
  test('the same plain page says that there is nothing', async () => {
    const unknown = await shop.raw({ method: 'GET', url: `/booking/bkg_x/manage/${'A'.repeat(32)}` })
    const found = await shop.raw({ method: 'GET', url: path })
    expect(found.status).toBe(404)
    expect(found.body).toBe(unknown.body)
    expect(found.body).toContain('Page not found')
    expect(found.headers['content-type']).toBe('text/html; charset=utf-8')
  })
})

test('a form that is sent to a wrong secret does nothing', async () => {
  expect((await page.send(`https://book.example/booking/${id}/waiver/${changed}`)).status).toBe(404)
  expect((await desk.get(booking.id)).data.booking.revision).toBe(booking.revision)
})

test.each([
  ['Origin', { origin: 'https://evil.example' }],
  ['Origin, at another port', { origin: 'https://book.example:8443' }],
  ['Sec-Fetch-Site', { origin: 'null', 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site, of a sister', { 'sec-fetch-site': 'same-site' }],
])('a form from another site, known by its %s, is refused', async (_, headers) => {
  const answer = await page.send(waiver, {}, headers)
  expect(answer.status).toBe(403)
  expect(answer.body).toContain('Nothing was changed')
  expect((await desk.get(booking.id)).data.booking.status).toBe('requires_action')
})

test.each([
  ['a browser that keeps the origin to itself', { origin: 'null', 'sec-fetch-site': 'same-origin' }],
  ['a browser that tells it', { origin: 'https://book.example' }],
  ['one that says nothing', {}],
])('a form from our own page is taken, sent by %s', async (_, headers) => {
  expect((await page.send(waiver, {}, headers)).status).toBe(303)
})

test('pages are kept by nobody, found by no search engine and lead nowhere by themselves', async () => {
  for (const url of [booking.booking_url, waiver, 'https://book.example/booking/a/b/c']) {
    const { headers, body } = await page.open(url)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
    })
    expect(headers).not.toHaveProperty('access-control-allow-origin')
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/)
    expect(body).toContain('<meta name="robots" content="noindex">')
  }
})

test.each([
  ['JSON', 'application/json', '{}'],
  ['a file', 'multipart/form-data; boundary=x', '--x--'],
])('%s is no form, and told so on a page', async (_, type, payload) => {
  const answer = await shop.raw({ method: 'POST', url: pathOf(waiver), headers: { 'content-type': type }, payload })
  expect(answer.status).toBe(415)
  expect(answer.body).toContain('<h1>We could not read this form</h1>')
})

test('a form of a megabyte is turned away on a page', async () => {
  const answer = await page.send(waiver, { answer: 'x'.repeat(300_000) })
  expect(answer.status).toBe(413)
  expect(answer.body).toContain('<h1>We could not read this form</h1>')
})

test('other methods are named', async () => {
  const answer = await shop.raw({ method: 'DELETE', url: pathOf(waiver) })
  expect(answer.status).toBe(405)
  expect(answer.headers.allow).toBe('GET, POST, HEAD')
})

test('who opens pages all the time has to wait, each address for itself', async () => {
  const few = await testShop(studio({ limits: { other: 3 } }))
  const open = (address: string) => few.inject({ url: '/booking/a/manage/b', remoteAddress: address })
  for (const expected of [404, 404, 404, 429]) expect((await open('192.0.2.1')).statusCode).toBe(expected)
  const refused = await open('192.0.2.1')
  expect(refused.body).toContain('Too many requests')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await open('192.0.2.2')).statusCode).toBe(404)
})

test('nothing of an address is written to the log', async () => {
  await page.open(waiver)
  expect(shop.logged.join('')).not.toContain(secret)
})

describe('text that no database can hold', () => {
  const erase = (email: string) => desk.call('usp_business_buyers_erase', { email }, { as: shop.staff })

  test.each([
    ['answers', 'svc_intake', { allergies: 'Nu\0ts' }],
    ['a reason', 'svc_free', { terms: '0 0', reason: 'I am\0 ill' }],
    ['a reason that is cut within a character', 'svc_free', { terms: '0 0', reason: `${'x'.repeat(1999)}💇` }],
  ])('in %s is left out, and who sent it can still be erased', async (what, service, form) => {
    const [slot] = await desk.slots(service)
    const email = `${what.replaceAll(' ', '.')}@example.com`
    const { booking } = (await desk.book(slot, { buyer: { ...buyer, email } })).data
    const cancel = async () => linkIn((await page.open(booking.booking_url)).body, 'cancel') ?? ''
    const url = service === 'svc_intake' ? continueUrl(booking, 'intake') : await cancel()
    expect((await page.send(url, form)).status).toBe(303)
    const { cancellation } = (await desk.get(booking.id)).data.booking
    expect(cancellation?.reason ?? '').toMatch(/^(|I am ill|x{1999})$/)
    expect((await erase(email)).data).toMatchObject({ booking_ids: [booking.id] })
  })
})
