import { describe, expect, test } from 'vitest'
import { testShop } from '../support/desk.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const shop = await testShop(
  salon({
    website: { services: ['svc_haircut', 'svc_yoga'], origins: ['https://salon.example'], accent: '#ffe600' },
    limits: { visitors: { holds: 2 } },
  }),
  { env: { TRUST_PROXY: '127.0.0.1' } },
)
const from = (address: string) => visitor(shop, { 'x-forwarded-for': address })
const browser = from('203.0.113.1')
const heldBy = async (one = browser, url = '/book/svc_haircut') => {
  const page = await one.open(url)
  return (await one.press(page, one.times(page)[0]?.time ?? '')).headers.location ?? ''
}

describe('[what is not shown is not there]', () => {
  test.each([
    '/book/svc_massage',
    '/book/svc_none',
    '/book/__proto__',
    '/book/svc_haircut/details',
    '/book/svc_haircut/details?hold=hold_x&visit=y',
    '/book/%73vc_haircut/none',
  ])('%s', async (url) => {
    expect((await browser.open(url)).status).toBe(404)
  })

  test.each([
    ['/book', ['svc_haircut', 'svc_yoga']],
    ['/book?q=massage', []],
    ['/book?q=yoga', ['svc_yoga']],
    ['/book?category=Massage', []],
  ])('%s lists %j', async (url, listed) => {
    const { body } = await browser.open(url)
    expect([...body.matchAll(/<h2><a href="\/book\/(\w+)"/g)].map(([, id]) => id)).toEqual(listed)
  })

  test('a hold of somebody else', async () => {
    const address = await heldBy()
    expect((await browser.open(address)).status).toBe(200)
    expect((await browser.open(address.replace(/visit=[^&]*/, 'visit=visit_guessed'))).status).toBe(404)
  })
})

const forms: [string, 'bookings' | 'waitlist_entries', () => Promise<string>][] = [
  ['that books', 'bookings', () => heldBy(from('203.0.113.2'))],
  ['that queues', 'waitlist_entries', fullClass],
]
describe.each(forms)('[robots] by the form %s', async (_, table, find) => {
  const address = await find()
  const token = browser.formOf(await browser.open(address)).token
  const count = async () => (await shop.runtime.db.selectFrom(table).select('id').execute()).length
  const slowly = () => {
    shop.time.now = new Date(shop.time.now.getTime() + 5_000)
  }
  test.each([
    ['without a token', {}],
    ['with a made-up token', { form: 'abc.def' }],
    ['who fill in what cannot be seen', { form: token, contact_via: 'https://spam.example' }],
  ])('%s change nothing, and what was written stays', async (_, form) => {
    slowly()
    const before = await count()
    const { status, body } = await browser.send(address, { ...ROSA, ...form })
    expect(status).toBe(422)
    expect(body).toContain('value="rosa@example.com"')
    expect(await count()).toBe(before)
  })

  test('who write faster than anybody can change nothing', async () => {
    const before = await count()
    const fresh = browser.formOf(await browser.open(address)).token
    expect((await browser.send(address, { ...ROSA, form: fresh })).status).toBe(422)
    expect(await count()).toBe(before)
    slowly()
    expect((await browser.send(address, { ...ROSA, form: fresh })).status).toBe(303)
    expect(await count()).toBe(before + 1)
  })

  test('who send from another site are refused', async () => {
    const sent = await browser.send(address, { ...ROSA, form: token }, { origin: 'https://evil.example' })
    expect(sent.status).toBe(403)
  })
})

/** Where one queues for a class that somebody has all places of. */
async function fullClass() {
  const url = '/book/svc_yoga?day=2026-11-24'
  await from('203.0.113.7').book(`${url}&party=8`)
  return (
    /href="(\/book\/svc_yoga\/waitlist[^"]*)"/.exec((await browser.open(url)).body)?.[1]?.replaceAll('&amp;', '&') ?? ''
  )
}

describe('[nothing that the protocol forbids]', () => {
  const hourFrom = (start: number) => `${start}-${start + 3_600_000}`
  test.each([
    ['an instant that is not offered', hourFrom(Date.parse('2026-11-24T14:07:00Z'))],
    ['the past', hourFrom(Date.parse('2026-11-18T15:00:00Z'))],
    ['too soon', hourFrom(Date.parse('2026-11-20T14:00:00Z'))],
    ['a beginning without an end', String(Date.parse('2026-11-24T15:00:00Z'))],
    ['an end before the beginning', '1795532400000-1'],
    ['what is no number', 'soon'],
    ['the end of time', hourFrom(8_640_000_000_000_001)],
  ])('%s is kept for nobody', async (_, time) => {
    const one = from('203.0.113.3')
    const { status } = await one.press(await one.open('/book/svc_haircut'), time)
    expect([409, 422]).toContain(status)
  })

  test('more than the class has room for', async () => {
    const one = from('203.0.113.4')
    const page = await one.open('/book/svc_yoga?party=9')
    expect(one.formOf(page).action).toContain('party=1')
  })
})

test('[one network keeps few times] further ones are refused, and others are not', async () => {
  const many = from('203.0.113.5')
  for (let count = 0; count < 2; count++) expect(await heldBy(many)).toContain('/details')
  const page = await many.open('/book/svc_haircut')
  const refused = await many.press(page, many.times(page)[0]?.time ?? '')
  expect(refused.status).toBe(429)
  expect(refused.body).toContain('You, or others on your network, already have several times on hold')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(await heldBy(from('203.0.113.6'))).toContain('/details')
})

test('[only sites that are named] show the pages in a frame', async () => {
  const { headers } = await browser.open('/book')
  expect(headers['content-security-policy']).toContain("frame-ancestors 'self' https://salon.example")
  expect(headers['x-frame-options']).toBeUndefined()
})

describe('hostile text', () => {
  const HOSTILE = '"><script>alert(1)</script>{count}<b>'
  test.each([
    `/book?q=${encodeURIComponent(HOSTILE)}`,
    `/book?category=${encodeURIComponent(HOSTILE)}`,
    `/book/svc_haircut?with=${encodeURIComponent(HOSTILE)}&day=${encodeURIComponent(HOSTILE)}&change=${encodeURIComponent(HOSTILE)}&visit=x`,
    `/book/svc_haircut?lang=${encodeURIComponent(HOSTILE)}`,
  ])('%s stays text', async (url) => {
    const { body } = await browser.open(url)
    expect(body).not.toContain('<script>alert')
  })

  test.each([['a'.repeat(5_000)], ['9'.repeat(400)], ['2026-99'], ['0000-00'], ['99999-01'], ['-1']])(
    'a month, day, party and length of %j are as good as none',
    async (text) => {
      const { status } = await browser.open(`/book/svc_yoga?from=${text}&day=${text}&party=${text}&length=${text}`)
      expect(status).toBe(200)
    },
  )
})

describe('[a NUL character] in the address is as good as none', () => {
  const nul = from('203.0.113.7')
  test.each([
    ['/book/svc_haircut/details?hold=%00&visit=x', 404],
    ['/book/svc_haircut/details?hold=hold_%00x&visit=%00', 404],
    ['/book/svc_haircut?change=%00&visit=%00&with=%00&place=%00&day=%00', 200],
    ['/book/svc_yoga/waitlist?time=%00', 303],
    ['/book?q=%00&category=%00', 200],
    ['/book?q=hair%00cut', 200],
    ['/my?back=%00&list=%00&after=%00', 200],
    ['/my/enter/%00', 404],
    ['/book/%00', 404],
    ['/book/svc_haircut%00/details?hold=%00', 404],
    ['/booking/%00/manage/%00?length=%00', 404],
    ['/booking/bkg_x/move/%00?length=%00', 404],
    ['/waiting/%00/x', 404],
  ])('%s', async (url, status) => {
    expect((await nul.open(url)).status).toBe(status)
  })

  test('also in one that a form is sent to', async () => {
    expect((await nul.send('/book/svc_haircut/details?hold=%00&visit=x', { a: '1' })).status).toBe(404)
    const page = await nul.open('/book/svc_haircut')
    const { token } = nul.formOf(page)
    const url = '/book/svc_haircut?change=%00&visit=%00x'
    expect((await nul.send(url, { form: token, time: nul.times(page)[0]?.time ?? '' })).status).toBe(303)
  })
})

test('[switched off] there is no page at all', async () => {
  await shop.apply(salon({ website: { enabled: false } }))
  for (const url of ['/', '/book', '/book/svc_haircut'])
    await expect.poll(async () => (await browser.open(url)).status).toBe(404)
})
