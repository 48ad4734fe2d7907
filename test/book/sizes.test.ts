import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { ways } from '../my/visitor.ts'
import { testShop } from '../support/desk.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const MOST = 30_000

const shop = await testShop(salon(), { env: { TRUST_PROXY: '127.0.0.1' } })
const browser = visitor(shop)
const linkIn = (body: string, path: RegExp) => path.exec(body)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** The details of the first time that a service has. */
async function detailsOf(url: string) {
  const page = await browser.open(url)
  return (await browser.press(page, browser.times(page)[0]?.time ?? '')).headers.location ?? ''
}

const { done } = await browser.book('/book/svc_haircut')
const manage = done.headers.location ?? ''
const managed = (await browser.open(manage)).body
await browser.book('/book/svc_yoga?day=2026-11-24&party=8')
const full = (await browser.open('/book/svc_yoga?day=2026-11-24')).body
const join = linkIn(full, /href="(\/book\/svc_yoga\/waitlist[^"]*)"/)
const waiting = (await browser.fill(join, ROSA)).headers.location ?? ''
const rosa = await ways(shop).enter(ROSA.email)

const pages: [string, string, (url: string) => Promise<{ status: number; body: string }>][] = [
  ['the services', '/book', browser.open],
  ['a service', '/book/svc_haircut', browser.open],
  ['a service of many times', '/book/svc_bike', browser.open],
  ['who comes', await detailsOf('/book/svc_haircut?day=2026-11-27'), browser.open],
  ['who comes, and where to', await detailsOf('/book/svc_plumbing'), browser.open],
  ['joining the waitlist', join, browser.open],
  ['the place in line', waiting, browser.open],
  ['the booking', manage, browser.open],
  ['moving it', linkIn(managed, /href="(\/booking\/[^"]*\/move\/[^"]*)"/), browser.open],
  ['canceling it', linkIn(managed, /href="(\/booking\/[^"]*\/cancel\/[^"]*)"/), browser.open],
  ['the way to what is booked', '/my', browser.open],
  ['what is booked', '/my', rosa.open],
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
