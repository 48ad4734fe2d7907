import { describe, expect, test } from 'vitest'
import { restDesk, testShop } from '../support/desk.ts'
import type { Answer } from '../support/server.ts'
import { salon, visitor } from './visitor.ts'

const shop = await testShop(salon())
const browser = visitor(shop)
const plain = (text = '') => text.replaceAll('&amp;', '&')

/** The time that is shown as the visitor's own. */
const ownTime = ({ body }: Pick<Answer, 'body'>) => {
  const [, href, clock, left] = /<a class="button own" href="([^"]*)"[^>]*>([^<]*)<small>([^<]*)</.exec(body) ?? []
  return href === undefined ? undefined : { href: plain(href), clock, left }
}
const clocks = (page: Answer) => browser.times(page).map(({ clock }) => clock)
const another = ({ body }: Answer) => plain(/<p><a class="way" href="([^"]*)"/.exec(body)?.[1])
const holds = (service: string) =>
  shop.runtime.db
    .selectFrom('holds')
    .select('id')
    .where('service_id', '=', service)
    .where('status', '=', 'active')
    .execute()

/** Keeps the first time of a page, and comes to where another can be chosen. */
async function keeping(url: string) {
  const page = await browser.open(url)
  const [time] = browser.times(page)
  const held = await browser.press(page, time?.time ?? '')
  const details = held.headers.location ?? ''
  const id = new URLSearchParams(details.split('?')[1]).get('hold')
  const cookie = String(held.headers['set-cookie']).split(';')[0] ?? ''
  return {
    page,
    id,
    details,
    cookie,
    clock: time?.clock,
    time: time?.time ?? '',
    times: another(await browser.open(details)),
  }
}

describe('[one’s own kept time] is not shown as taken', () => {
  test('but as one’s own, for how long, and leads back to where it is booked', async () => {
    const { details, times, clock } = await keeping('/book/svc_haircut?day=2026-12-01&with=staff_jane')
    shop.minutesLater(2)
    const page = await browser.open(times)
    expect(ownTime(page)).toMatchObject({ clock, left: 'Held for you for 8 min' })
    expect(page.body).toMatch(/Tue, Dec 1, 9:00\sAM is held for you for another 8 min\./)
    expect((await browser.open(ownTime(page)?.href ?? '')).body).toContain('8 minutes left.')
    expect(ownTime(page)?.href).toBe(details)
  })

  test('nor are those that overlap it: one is chosen instead', async () => {
    const { times, clock, id } = await keeping('/book/svc_haircut?day=2026-12-02&with=staff_jane')
    const page = await browser.open(times)
    const [next] = browser.times(page)
    expect([clock, next?.clock]).toEqual(['9:00 AM', '9:30 AM'])
    expect((await browser.press(page, next?.time ?? '')).status).toBe(303)
    expect(await holds('svc_haircut')).not.toContainEqual({ id })
    expect(clocks(await browser.open('/book/svc_haircut?day=2026-12-02&with=staff_jane'))[0]).toBe('11:00 AM')
  })

  test('while to everybody else they are taken, whatever they name', async () => {
    const url = '/book/svc_haircut?day=2026-12-03&with=staff_jane'
    const { clock, id } = await keeping(url)
    for (const more of ['', `&change=${id}&visit=visit_guessed`]) {
      const page = await browser.open(url + more)
      expect(ownTime(page)).toBeUndefined()
      expect(clocks(page)).not.toContain(clock)
    }
  })

  test('the last place of a class is not full to who keeps it', async () => {
    const desk = restDesk(shop)
    const [slot] = await desk.slots('svc_yoga', { start_date: '2026-12-03', end_date: '2026-12-03' })
    await desk.book(slot, { party_size: 7 })
    const { times } = await keeping('/book/svc_yoga?day=2026-12-03')
    const page = await browser.open(times)
    expect(ownTime(page)?.left).toBe('Held for you for 10 min')
    expect(page.body).not.toContain('This day is fully booked.')
    expect((await browser.open('/book/svc_yoga?day=2026-12-03')).body).toContain('This day is fully booked.')
  })
})

describe('[who goes back in the browser]', () => {
  test('sees it as well, and keeps it though another is chosen', async () => {
    const url = '/book/svc_massage?day=2026-12-01'
    const { cookie, details } = await keeping(url)
    const again = visitor(shop, { cookie })
    const page = await again.open(url)
    expect(ownTime(page)?.href).toBe(details)
    await again.press(page, again.times(page).at(-1)?.time ?? '')
    expect(await holds('svc_massage')).toHaveLength(2)
  })

  test('and presses it on the page as it was comes to where it is booked', async () => {
    const { page, cookie, details, time } = await keeping('/book/svc_massage?day=2026-12-02')
    const before = await holds('svc_massage')
    const pressed = await visitor(shop, { cookie }).press(page, time)
    expect([pressed.status, pressed.headers.location]).toEqual([303, details])
    expect(await holds('svc_massage')).toEqual(before)
  })

  test('and finds nothing kept once that has lapsed', async () => {
    const url = '/book/svc_massage?day=2026-12-03'
    const { cookie } = await keeping(url)
    shop.minutesLater(11)
    const { body } = await visitor(shop, { cookie }).open(url)
    expect(body).not.toContain('is held for you')
    expect(ownTime({ body })).toBeUndefined()
  })
})
