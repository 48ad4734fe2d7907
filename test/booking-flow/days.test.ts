import { describe, expect, test } from 'vitest'
import { testShop } from '../support/desk.ts'
import { salon, visitor } from './visitor.ts'

const shop = await testShop(salon({ closures: [{ from: '2026-11-24', to: '2026-12-02' }] }))
const browser = visitor(shop)
const shownDay = (body: string) => /id="day-([\d-]+)"[^>]*aria-current="date"/.exec(body)?.[1]

describe('[a chosen day that filled meanwhile] is not silently another', () => {
  test.each([
    ['en', 'No free times on Wednesday, November 25. The next available day is Thursday, December 3.'],
    ['de', 'Am Mittwoch, 25. November ist kein Termin frei. Der nächste freie Tag ist Donnerstag, 3. Dezember.'],
    ['ja', '11月25日水曜日の空きはなくなりました。次に空きがあるのは12月3日木曜日です。'],
  ])('in %s', async (language, sentence) => {
    const { body } = await browser.open(`/book/svc_haircut?day=2026-11-25&lang=${language}`)
    expect(body).toContain(`<p class="note" role="status">${sentence}</p>`)
    expect(shownDay(body)).toBe('2026-12-03')
    expect(browser.times({ status: 200, headers: {}, body }).length).toBeGreaterThan(0)
  })

  test('nor is one after which there is nothing', async () => {
    const { body } = await browser.open('/book/svc_haircut?day=2027-01-28')
    expect(body).toContain('No free times on Thursday, January 28 or later.')
    expect(shownDay(body)).toMatch(/^2027-01-/)
  })

  test('and of one that has times, or of none, nothing is said', async () => {
    for (const query of ['', '?day=2026-12-03', '?from=2026-12-20']) {
      const { body } = await browser.open(`/book/svc_haircut${query}`)
      expect(body).not.toContain('No free times')
      expect(shownDay(body)).toBeDefined()
    }
  })

  test('where a booking is moved as well', async () => {
    const { done } = await browser.book('/book/svc_haircut?day=2026-12-08')
    const manage = await browser.open(done.headers.location ?? '')
    const move = /href="(\/booking\/[^"]*\/move\/[^"]*)"/.exec(manage.body)?.[1] ?? ''
    const { body } = await browser.open(`${move}?day=2026-11-25`)
    expect(body).toContain('No free times on Wednesday, November 25. The next available day is')
    expect(shownDay(body)).toBe('2026-12-03')
  })
})

/** Every day of the calendar, and whether it leads to times. */
const daysIn = (body: string) =>
  [...body.matchAll(/<td>(?:<a [^>]*id="day-([\d-]+)"|<span)(?:[^>]*?data-month="(\w+)")?[^>]*>(\d+)/g)].map(
    ([, date, month, number]) => ({ date, month, number: Number(number) }),
  )

describe('[no dead days] the calendar begins with this week', () => {
  test('and goes on for five, into the next month, whose first day says so', async () => {
    const { body } = await browser.open('/book/svc_haircut')
    const days = daysIn(body)
    expect(days).toHaveLength(35)
    expect(days[0]).toMatchObject({ number: 15 })
    expect(days.filter(({ month }) => month)).toMatchObject([{ number: 1, month: 'Dec' }])
    expect(body).toMatch(/<h2 id="days">Nov\s–\sDec 2026<\/h2>/)
    expect(body).not.toContain('id="earlier"')
    const later = /id="later" href="([^"]*)"/.exec(body)?.[1] ?? ''
    const next = (await browser.open(later.replaceAll('&amp;', '&'))).body
    expect(daysIn(next)[0]).toMatchObject({ number: 20 })
    expect(shownDay(next)).toBe('2026-12-22')
    expect(next).toContain('id="earlier"')
    expect(next).not.toContain('id="later"')
  })

  test('on Monday where weeks begin so, and no further than can be booked', async () => {
    const days = daysIn((await browser.open('/book/svc_bike?lang=de')).body)
    expect(days[0]).toMatchObject({ number: 16 })
    expect(days).toHaveLength(21)
  })

  test.each(['1970-01-01', '9999-12-31', '2026-99-99', 'x'])(
    'and weeks that cannot be are not shown: %s',
    async (from) => {
      expect(daysIn((await browser.open(`/book/svc_haircut?from=${from}`)).body).some(({ date }) => date)).toBe(true)
    },
  )
})

describe('[a full class is not hidden] its day', async () => {
  const [tuesday, thursday] = ['2026-12-08', '2026-12-10']
  const classes = salon().services.map((one) =>
    one.id === 'svc_yoga'
      ? { ...one, sessions: one.sessions?.map((each) => ({ ...each, from: tuesday, until: thursday })) ?? [] }
      : one,
  )
  const studio = await testShop(salon({ services: classes }))
  const window = visitor(studio)
  const fill = (day: string) => window.book(`/book/svc_yoga?day=${day}&party=8`)
  const signOf = (body: string, day: string) =>
    /aria-label="([^"]*)"/.exec(new RegExp(`<a [^>]*id="day-${day}"[^>]*>`).exec(body)?.[0] ?? '')?.[1]
  const queues = (body: string) => body.includes('href="/book/svc_yoga/waitlist?')

  test('is marked by a word, and the first that is free is shown', async () => {
    await fill(tuesday)
    const { body } = await window.open('/book/svc_yoga')
    expect(signOf(body, tuesday)).toBe('Tuesday, December 8, full')
    expect(signOf(body, thursday)).toBe('Thursday, December 10')
    expect(body).toContain('Full, with waitlist')
    expect(shownDay(body)).toBe(thursday)
  })

  test('says when it is free next, and leads there', async () => {
    const { body } = await window.open(`/book/svc_yoga?day=${tuesday}`)
    expect(queues(body)).toBe(true)
    expect(body).toMatch(
      /This day is fully booked\. <a class="way" href="[^"]*day=2026-12-10#times"[^>]*>Next available: Thursday, December 10<\/a>/,
    )
  })

  test('is shown where nothing is free at all', async () => {
    await fill(thursday)
    for (const query of ['', '?day=2026-12-09']) {
      const { body } = await window.open(`/book/svc_yoga${query}`)
      expect(queues(body)).toBe(true)
      expect(body).toContain('This day is fully booked.')
      expect(body).not.toContain('Next available')
      expect(body.includes('No free times on Wednesday, December 9 or later.')).toBe(query !== '')
    }
  })
})

describe('[a full class is not hidden] where the only day with a class is full, and lies after the first weeks,', async () => {
  const day = '2026-12-29'
  const yogaOn = (waitlist: boolean) =>
    salon().services.flatMap((one) =>
      one.id === 'svc_yoga'
        ? {
            ...one,
            capacity: { ...one.capacity, waitlist },
            sessions: one.sessions?.map((each) => ({ ...each, from: day, until: day })) ?? [],
            policies: { ...one.policies, booking_window: { ...one.policies.booking_window, max_advance: 'P90D' } },
          }
        : [],
    )
  const studio = await testShop(salon({ services: yogaOn(true) }))
  const window = visitor(studio)
  await window.book(`/book/svc_yoga?day=${day}&party=8`)
  const isInLine = (body: string) => body.includes('href="/book/svc_yoga/waitlist?')

  test.each([
    ['is shown to a visitor who chose no day', '', false],
    ['is shown to a visitor who chose a day before', '?day=2026-11-25', true],
    ['is shown to a visitor who chose a day long after', '?day=2027-02-10', true],
  ])('%s', async (_, query, isNoted) => {
    const { body } = await window.open(`/book/svc_yoga${query}`)
    expect([shownDay(body), isInLine(body)]).toEqual([day, true])
    expect(body).toContain('This day is fully booked.')
    expect(body).not.toContain('Next available')
    expect(body.includes(' or later.</p>')).toBe(isNoted)
  })

  test('is no next free day for a visitor who turns to weeks without a class', async () => {
    const { body } = await window.open('/book/svc_yoga?from=2026-11-20')
    expect([shownDay(body), isInLine(body)]).toEqual([undefined, false])
    expect(body).not.toContain('Next available')
  })

  test('is not shown if the class has no waitlist', async () => {
    await studio.apply(salon({ services: yogaOn(false) }))
    await expect.poll(async () => shownDay((await window.open('/book/svc_yoga')).body)).toBeUndefined()
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
  expect(gone.body).toContain('That time was just booked.')
  const fresh = await browser.open('/book/svc_haircut?day=2026-12-09')
  expect(browser.times(fresh)[0]?.start).toBe(time?.start)
  expect((await browser.press(fresh, browser.times(fresh)[0]?.time ?? '')).status).toBe(303)
})
