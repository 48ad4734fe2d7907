import { beforeEach, describe, expect, test } from 'vitest'
import { testShop } from '../support/desk.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const shop = await testShop(salon())
const browser = visitor(shop)
const EVE = { ...ROSA, first_name: 'Eve', email: 'eve@example.com' }
const count = async () => (await shop.runtime.db.selectFrom('bookings').select('id').execute()).length
const slowly = () => {
  shop.time.now = new Date(shop.time.now.getTime() + 5_000)
}
const heldBy = async () => {
  const page = await browser.open('/book/svc_haircut?from=2026-12-20')
  return (await browser.press(page, browser.times(page)[0]?.time ?? '')).headers.location ?? ''
}

describe('[the address of the form is not the booking]', () => {
  let address = ''
  let eves = ''
  let rosas = ''
  beforeEach(async () => {
    address = await heldBy()
    eves = browser.formOf(await browser.open(address)).token
    rosas = browser.formOf(await browser.open(address)).token
    slowly()
  })

  test('who opens it after somebody has booked by it is told so, and shown other times', async () => {
    const done = await browser.send(address, { ...ROSA, form: rosas })
    expect(done.headers.location).toMatch(/^\/booking\//)
    const { status, headers, body } = await browser.open(address)
    expect([status, headers.location, headers['set-cookie']]).toEqual([410, undefined, undefined])
    expect(body).toContain('We have your booking. The link to it is in your email.')
    expect(body).toContain('name="time"')
    expect(body).not.toContain('/booking/')
  })

  test('two forms of it sent at once make one booking, and lead one of them there', async () => {
    const before = await count()
    const sent = await Promise.all([
      browser.send(address, { ...ROSA, form: rosas }),
      browser.send(address, { ...EVE, form: eves }),
    ])
    expect(sent.map(({ status }) => status).toSorted()).toEqual([303, 410])
    expect(await count()).toBe(before + 1)
  })

  test('another form of it, one that was made up or none leads nowhere', async () => {
    await browser.send(address, { ...ROSA, form: rosas })
    for (const form of [eves, 'abc.def', '']) {
      const { status, headers } = await browser.send(address, { ...ROSA, form })
      expect([status, headers.location]).toEqual([410, undefined])
    }
    expect((await browser.send(address, ROSA)).status).toBe(410)
  })

  test('the form that made it leads there as often as it is sent, also where no cookies are kept', async () => {
    const sent = await Promise.all([1, 2, 3].map(() => browser.send(address, { ...ROSA, form: rosas })))
    const again = await browser.send(address, { ...ROSA, form: rosas })
    for (const { status, headers } of [...sent, again])
      expect([status, headers.location]).toEqual([303, sent[0]?.headers.location])
  })

  test('the browser that sent it is led there from its history', async () => {
    const done = await browser.send(address, { ...ROSA, form: rosas })
    const cookies = [done.headers['set-cookie']].flat().map((one) => String(one).split(';', 1)[0])
    expect(cookies.length).toBe(2)
    const back = await visitor(shop, { cookie: cookies.join('; ') }).open(address)
    expect([back.status, back.headers.location]).toEqual([303, done.headers.location])
  })

  test('a cookie of another booking leads nowhere', async () => {
    const other = await heldBy()
    const done = await browser.fill(other, EVE)
    await browser.send(address, { ...ROSA, form: rosas })
    const cookies = [done.headers['set-cookie']].flat().map((one) => String(one).split(';', 1)[0])
    expect((await visitor(shop, { cookie: cookies.join('; ') }).open(address)).status).toBe(410)
  })
})

test('[nobody is promised a mail] that is not sent', async () => {
  const { held } = await browser.book('/book/svc_haircut', { ...ROSA, email: 'unknown@nobody.invalid' })
  const { body } = await browser.open(held.headers.location ?? '')
  expect(body).toContain('We have your booking. If you have questions, please contact us.')
})
