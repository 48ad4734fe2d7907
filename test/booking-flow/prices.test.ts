import { expect, test } from 'vitest'
import { testShop } from '../support/desk.ts'
import type { Answer } from '../support/server.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const base = salon()
const taxed = await testShop(base)
const included = await testShop(salon({ payments: { tax: { percent: 19, included: true } } }))

/** What stands first among the facts, as the page and the list of services have it. */
const headOf = (body: string) => /<ul class="facts"><li>([^<]*)</.exec(body)?.[1]
const listed = (body: string, id: string) =>
  new RegExp(`href="/book/${id}">.*?<span class="price">([^<]*)<`, 's').exec(body)?.[1]

test.each([
  ['svc_color', '', 'from $140.00 plus tax'],
  ['svc_color', 'with=staff_nina', 'from $140.00 plus tax'],
  ['svc_color', 'with=staff_jane', 'from $168.00 plus tax'],
  ['svc_haircut', '', '$75.00 plus tax'],
  ['svc_bike', '', '$12.00 per hour plus tax'],
  ['svc_consult', '', 'Free'],
])('[the price at the head can be had] of %s, asked for as %j: %s', async (id, query, price) => {
  const browser = visitor(taxed)
  expect(headOf((await browser.open(`/book/${id}?${query}`)).body)).toBe(price)
  if (query === '') expect(listed((await browser.open('/book')).body, id)).toBe(price)
})

test('[the price at the head can be had] it is one that a time of the next weeks has', async () => {
  const services = base.services.map((one) =>
    one.id === 'svc_color'
      ? {
          ...one,
          price_rules: [
            {
              name: 'Every day that is open',
              days: [
                'wednesday' as const,
                'thursday' as const,
                'friday' as const,
                'saturday' as const,
                'tuesday' as const,
              ],
              amount: 15000,
            },
          ],
        }
      : one,
  )
  const shop = await testShop(salon({ services }))
  expect(headOf((await visitor(shop).open('/book/svc_color')).body)).toBe('$150.00 plus tax')
})

test('[terms are those that the page showed] whoever sees others first agrees to them before anything is booked', async () => {
  const [shop, free] = [await testShop(base), base.services.find(({ id }) => id === 'svc_haircut')?.policies]
  if (!free) throw new Error('There is no haircut')
  const someone = visitor(shop)
  const held = await someone.press(...(await firstTime(someone)))
  const address = held.headers.location ?? ''
  const send = (page: Answer) => {
    const { token, terms } = someone.formOf(page)
    shop.time.now = new Date(shop.time.now.getTime() + 5_000)
    return someone.send(address, { ...ROSA, form: token, terms })
  }
  const before = await someone.open(address)
  const cancellation = { allowed: true, free_cancellation_until: 'P60D', late_cancellation_fee: 7_500 }
  const services = base.services.map((one) =>
    one.id === 'svc_haircut' ? { ...one, policies: { ...free, cancellation } } : one,
  )
  await shop.apply({ ...base, services })
  await shop.runtime.business.seenBy(shop.runtime.db)

  const refused = await send(before)
  expect([refused.status, refused.body]).toEqual([
    422,
    expect.stringContaining('have changed since you opened this page'),
  ])
  expect(refused.body).toContain('Canceling costs $75.00')
  expect((await send(refused)).headers.location).toMatch(/^\/booking\//)
})

/** A page of times, and the first of them. */
async function firstTime(someone: ReturnType<typeof visitor>): Promise<[Answer, string]> {
  const page = await someone.open('/book/svc_haircut')
  return [page, someone.times(page)[0]?.time ?? '']
}

test('[tax is told as the next page reckons it] where prices have it in them, and at each time that has a price', async () => {
  const [on, within] = [visitor(taxed), visitor(included)]
  expect(headOf((await within.open('/book/svc_haircut')).body)).toBe('$75.00 incl. tax')
  const url = '/book/svc_color?with=staff_jane&day=2026-12-02'
  expect((await on.open(url)).body).toContain('<small>$168.00 plus tax</small>')
  const page = await within.open(url)
  expect(page.body).toContain('<small>$168.00 incl. tax</small>')
  const { headers } = await within.press(page, within.times(page)[0]?.time ?? '')
  expect((await within.open(headers.location ?? '')).body).toContain('<dt>Price</dt><dd>$168.00 (')
})
