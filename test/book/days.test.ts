import { describe, expect, test } from 'vitest'
import { testShop } from '../support/desk.ts'
import { salon, visitor } from './visitor.ts'

const shop = await testShop(salon({ closures: [{ from: '2026-11-24', to: '2026-12-02' }] }))
const browser = visitor(shop)
const shownDay = (body: string) => /id="day-([\d-]+)"[^>]*aria-current="date"/.exec(body)?.[1]

describe('[a chosen day that filled meanwhile] is not silently another', () => {
  test.each([
    ['en', 'No times are left on Wednesday, November 25; the next free day is Thursday, December 3.'],
    ['de', 'Am Mittwoch, 25. November ist nichts mehr frei; der nächste freie Tag ist Donnerstag, 3. Dezember.'],
    ['ja', '11月25日水曜日の空きはなくなりました。次に空きがあるのは12月3日木曜日です。'],
  ])('in %s', async (language, sentence) => {
    const { body } = await browser.open(`/book/svc_haircut?day=2026-11-25&lang=${language}`)
    expect(body).toContain(`<p class="note" role="status">${sentence}</p>`)
    expect(shownDay(body)).toBe('2026-12-03')
    expect(browser.times({ status: 200, headers: {}, body }).length).toBeGreaterThan(0)
  })

  test('nor is one after which there is nothing', async () => {
    const { body } = await browser.open('/book/svc_haircut?day=2027-01-28')
    expect(body).toContain('No times are left on Thursday, January 28, nor on later days.')
    expect(shownDay(body)).toMatch(/^2027-01-/)
  })

  test('and of one that has times, or of none, nothing is said', async () => {
    for (const query of ['', '?day=2026-12-03', '?month=2026-12']) {
      const { body } = await browser.open(`/book/svc_haircut${query}`)
      expect(body).not.toContain('No times are left')
      expect(shownDay(body)).toBeDefined()
    }
  })

  test('where a booking is moved as well', async () => {
    const { done } = await browser.book('/book/svc_haircut?day=2026-12-08')
    const manage = await browser.open(done.headers.location ?? '')
    const move = /href="(\/booking\/[^"]*\/move\/[^"]*)"/.exec(manage.body)?.[1] ?? ''
    const { body } = await browser.open(`${move}?day=2026-11-25`)
    expect(body).toContain('No times are left on Wednesday, November 25; the next free day is')
    expect(shownDay(body)).toBe('2026-12-03')
  })
})

test('[what was pressed is what is kept] a time that begins as it did, but ends otherwise by now, is gone', async () => {
  const page = await browser.open('/book/svc_haircut?day=2026-12-09')
  const [time] = browser.times(page)
  const services = salon().services.map((one) =>
    one.id === 'svc_haircut' ? { ...one, duration: { fixed: 'PT90M' } } : one,
  )
  await shop.apply(salon({ services }))
  await expect
    .poll(async () => browser.times(await browser.open('/book/svc_haircut?day=2026-12-09'))[0]?.time)
    .not.toBe(time?.time)
  const gone = await browser.press(page, time?.time ?? '')
  expect(gone.status).toBe(409)
  expect(gone.body).toContain('That time was taken a moment ago.')
  const fresh = await browser.open('/book/svc_haircut?day=2026-12-09')
  expect(browser.times(fresh)[0]?.start).toBe(time?.start)
  expect((await browser.press(fresh, browser.times(fresh)[0]?.time ?? '')).status).toBe(303)
})
