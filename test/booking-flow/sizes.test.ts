import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { pageUrl } from '../../src/domain/bookings/booking-page-links.ts'
import { entryUrl } from '../../src/domain/waitlist/entry-page-link.ts'
import { ways } from '../my-bookings/visitor.ts'
import { studio } from '../pages/shop.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const MOST = 30_000

const base = salon()
const asking = studio().services.filter(({ id }) => id === 'svc_all')
const shop = await testShop(salon({ services: [...base.services, ...asking] }), { env: { TRUST_PROXY: '127.0.0.1' } })
const browser = visitor(shop)
const desk = restDesk(shop)
const linkIn = (body: string, path: RegExp) => path.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** The details of the first time that a service has. */
async function detailsOf(url: string) {
  const page = await browser.open(url)
  return (await browser.press(page, browser.times(page)[0]?.time ?? '')).headers.location ?? ''
}

/** What came free for whoever waited for it. */
async function offered() {
  const [slot] = await desk.slots('svc_yoga', { start_date: '2026-11-26' })
  const { booking } = (await desk.book(slot, { party_size: slot.capacity.remaining })).data
  const { entry } = (await desk.call('usp_waitlist_join', { service_id: 'svc_yoga', slot_id: slot.id, buyer })).data
  await desk.cancel(booking.id)
  return new URL(entryUrl(config.baseUrl, tag, entry.id)).pathname
}

const { done } = await browser.book('/book/svc_haircut')
const manage = done.headers.location ?? ''
const paying = (await browser.book('/book/svc_massage')).done.headers.location ?? ''
const managed = (await browser.open(manage)).body
await browser.book('/book/svc_yoga?day=2026-11-24&party=8')
const full = (await browser.open('/book/svc_yoga?day=2026-11-24')).body
const join = linkIn(full, /href="(\/book\/svc_yoga\/waitlist[^"]*)"/)
const waiting = (await browser.fill(join, ROSA)).headers.location ?? ''
const move = linkIn(managed, /href="(\/booking\/[^"]*\/move\/[^"]*)"/)
const [another] = [...(await browser.open(move)).body.matchAll(/<a class="button" rel="nofollow" href="([^"]*)"/g)]
const { tag, config } = shop.runtime
const toDo = (await desk.book((await desk.slots('svc_all'))[0])).data.booking.id
const toDoAt = (page: 'waiver' | 'intake') =>
  new URL(pageUrl(config.baseUrl, tag, { id: toDo, record: {} }, page)).pathname
const rosa = await ways(shop).enter(ROSA.email)

const pages: [string, string, (url: string) => Promise<{ status: number; body: string }>][] = [
  ['the services', '/book', browser.open],
  ['a service', '/book/svc_haircut', browser.open],
  ['a service of many times', '/book/svc_bike', browser.open],
  ['who comes', await detailsOf('/book/svc_haircut?day=2026-11-27'), browser.open],
  ['who comes, and where to', await detailsOf('/book/svc_plumbing'), browser.open],
  ['joining the waitlist', join, browser.open],
  ['the place in line', waiting, browser.open],
  ['leaving the line', `${waiting}/leave`, browser.open],
  ['an offer', await offered(), browser.open],
  ['paying', paying, browser.open],
  ['a waiver', toDoAt('waiver'), browser.open],
  ['questions', toDoAt('intake'), browser.open],
  ['the booking', manage, browser.open],
  ['moving it', move, browser.open],
  ['moving it, asked once more', another?.[1]?.replaceAll('&amp;', '&') ?? '', browser.open],
  ['canceling it', linkIn(managed, /href="(\/booking\/[^"]*\/cancel\/[^"]*)"/), browser.open],
  ['the way to what is booked', '/my', browser.open],
  ['what is booked', '/my', rosa.open],
  ['signing in', '/account', browser.open],
  ['an account', '/account', rosa.open],
]

describe.each(['en', 'pl', 'ar', 'ja'])('[30 kB in all, compressed] in %s', (language) => {
  test.each(pages)('%s', async (_, url, open) => {
    const { status, body } = await open(`${url}${url.includes('?') ? '&' : '?'}lang=${language}`)
    expect(status).toBe(200)
    expect(body).toContain(`<html lang="${language}"`)
    const own = [...body.matchAll(/<(?:script|link rel="stylesheet"|img)[^>]* (?:src|href)="(\/[^"]*)"/g)]
    expect(own.map(([, path]) => path)).toContain('/assets/pages.js')
    const files = await Promise.all(own.map(async ([, path = '']) => (await browser.open(path)).body))
    expect([body, ...files].reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThanOrEqual(MOST)
  })
})
