import { hash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { accentOf } from '../../src/infra/util/accent-color.ts'
import { html } from '../../src/infra/util/html-template.ts'
import { buyerStyle } from '../../src/interfaces/pages/style.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { type Answer, START } from '../support/server.ts'
import { browser, continueUrl, linkIn, studio } from './shop.ts'

const HOSTILE = '<script>alert("x")</script>\'&'

describe('markup', () => {
  test('has what is put in as text, wherever it is put', () => {
    expect(html`<p title="${HOSTILE}">${HOSTILE}</p>`.text).toBe(
      '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;">' +
        '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;</p>',
    )
  })

  test('takes other markup as it is, and nothing for what is not there', () => {
    expect(html`<ul>${[1, 2].map((one) => html`<li>${one}</li>`)}${undefined}${false}${null}</ul>`.text).toBe(
      '<ul><li>1</li><li>2</li></ul>',
    )
  })

  test('reads text with a backslash or a dollar as such', () => {
    expect(html`<p>${'\\n $& $1'}</p>`.text).toBe('<p>\\n $&amp; $1</p>')
  })
})

describe('contrast', () => {
  const [light = '', dark = ''] = buyerStyle.match(/:root\{[^}]*\}/g) ?? []
  const colours = (rule: string) =>
    Object.fromEntries([...rule.matchAll(/--([\w-]+):(#\w+)/g)].map(([, name = '', hex = '']) => [name, hex]))
  const named = ({ accent, on }: { accent: string; on: string }) => ({ accent, 'on-accent': on })
  const looks = ['#4b2e83', '#ffffff', '#000000', '#ffe600', '#00c853', '#7f7f7f'].flatMap((hex) => {
    const own = accentOf(hex)
    return [
      [`${hex}, in the light`, { ...colours(light), ...named(own.light) }] as const,
      [`${hex}, in the dark`, { ...colours(light), ...colours(dark), ...named(own.dark) }] as const,
    ]
  })

  describe.each(looks)('%s', (_, colour: Record<string, string>) => {
    test.each([
      ['ink', 'paper'],
      ['ink', 'ground'],
      ['ink', 'note'],
      ['soft', 'paper'],
      ['accent', 'paper'],
      ['accent', 'ground'],
      ['danger', 'paper'],
      ['on-accent', 'accent'],
    ])('of %s on %s is enough to read', (text, ground) => {
      expect(contrast(colour[text] ?? '', colour[ground] ?? '')).toBeGreaterThanOrEqual(4.5)
    })
  })
})

describe('every page', async () => {
  const named = studio({ payments: { tax: { percent: 10, included: false } } })
  const shop = await testShop({
    ...named,
    business: { ...named.business, name: HOSTILE, url: 'https://studio.example' },
  })
  const desk = restDesk(shop)
  const page = browser(shop)
  const seen: [string, Answer][] = []
  const look = async (name: string, url: string) => void seen.push([name, await page.open(url)])
  for (const state of ['open', 'done', 'canceled', 'expired'] as const) {
    shop.time.now = START
    const slots = await desk.slots('svc_all')
    const { booking } = (await desk.book(slots.at(-1))).data
    const url = (type: string) => continueUrl(booking, type)
    if (state === 'canceled') await desk.cancel(booking.id)
    if (state === 'expired') shop.minutesLater(24 * 60 + 1)
    if (state === 'open') seen.push(['intake, refused', await page.send(url('intake'), { music: HOSTILE })])
    if (state === 'done') {
      await page.send(url('waiver'))
      await page.send(url('intake'), { allergies: HOSTILE })
      await desk.pay(booking)
    }
    for (const type of ['waiver', 'intake', 'payment']) await look(`${type}, ${state}`, url(type))
    await look(`manage, ${state}`, booking.booking_url)
    const cancel = linkIn(seen.at(-1)?.[1].body ?? '', 'cancel')
    if (cancel) await look(`cancel, ${state}`, cancel)
    const move = linkIn(seen.find(([name]) => name === `manage, ${state}`)?.[1].body ?? '', 'move')
    if (move) await look(`move, ${state}`, move)
    const attend = linkIn(seen.find(([name]) => name === `manage, ${state}`)?.[1].body ?? '', 'attend')
    if (attend) await look(`attend, ${state}`, attend)
    await desk.cancel(booking.id)
  }
  await look('none', 'https://book.example/booking/a/b/c')

  test.each(seen)('(%s) can be read by everybody and by any means', (_, { headers, body }: Answer) => {
    expect(body).toMatch(/^<!doctype html>\n<html lang="en">\n/)
    expect(body).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    const title = /<title>(.+) – &lt;script&gt;.*<\/title>/.exec(body)?.[1]
    expect([...body.matchAll(/<h1>(.*?)<\/h1>/g)].map(([, text]) => text)).toEqual([title])
    expect(body.match(/<main id="main"/g)).toHaveLength(1)
    const levels = [...body.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1)
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const fields = [...body.matchAll(/<(?:textarea|input|select)(?![^>]*type="hidden")[^>]*/g)].map(([field]) => field)
    for (const field of fields) expect(body).toContain(`<label for="${/ id="([^"]+)"/.exec(field)?.[1]}">`)
    for (const [, id] of body.matchAll(/aria-(?:describedby|labelledby)="([^"]+)"/g)) expect(ids).toContain(id)
    for (const [, text] of body.matchAll(/<(?:a|button)[^>]*>([^<]*)</g)) expect(text.trim()).not.toBe('')
    const policy = headers['content-security-policy']
    const styled = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? ''
    expect(policy).toContain(`style-src 'sha256-${hash('sha256', styled, 'base64')}'`)
  })

  test.each(seen)(
    '(%s) runs our own script alone and shows what people wrote as they wrote it',
    (_, { headers, body }: Answer) => {
      expect(body.match(/<script.*?>/g)).toEqual(['<script type="module" src="/assets/pages.js">'])
      expect(headers['content-security-policy']).toContain("script-src 'self';")
      expect(body).not.toMatch(/javascript:| on\w+=| style=/i)
      expect(body.match(/<style>/g)).toHaveLength(1)
    },
  )

  test('was looked at', () => {
    expect(seen).toHaveLength(22)
  })
})

/** By WCAG 2. */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(hex: string): number {
  const digits = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
