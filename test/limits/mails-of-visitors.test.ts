import { expect, test } from 'vitest'
import { defaultLimits } from '../../src/core/limits/rate-limits.ts'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { ROSA, salon, visitor } from '../booking-flow/visitor.ts'
import { myShop, studio } from '../my-bookings/visitor.ts'
import { linkIn } from '../pages/shop.ts'
import { testShop } from '../support/desk.ts'
import type { Answer } from '../support/server.ts'

const salonWith = (visitors: NonNullable<BusinessDefinition['limits']>['visitors'] = {}) =>
  testShop(salon({ limits: { visitors } }), { env: { TRUST_PROXY: '127.0.0.1' } })

async function street(limits?: NonNullable<BusinessDefinition['limits']>['visitors']) {
  const shop = await salonWith(limits)
  const from = (address: string, more = {}) => {
    const one = visitor(shop, { 'x-forwarded-for': address, ...more })
    const field = (page: Answer, name: string) =>
      new RegExp(`name="${name}" value="([^"]*)"`).exec(page.body)?.[1] ?? ''
    return {
      ...one,
      /** From the page of a booking on to its end. */
      async cancel(booking: string) {
        const cancel = new URL(linkIn((await one.open(booking)).body, 'cancel') ?? '').pathname
        return one.send(cancel, { terms: field(await one.open(cancel), 'terms') })
      },
      /** To the last time of another day. */
      async move(booking: string, day: string) {
        const move = new URL(linkIn((await one.open(booking)).body, 'move') ?? '').pathname
        const times = [...(await one.open(`${move}?day=${day}`)).body.matchAll(/href="([^"]*time=\d+-\d+)"/g)]
        const page = await one.open(times.at(-1)?.[1]?.replaceAll('&amp;', '&') ?? '')
        return one.send(move, { slot: field(page, 'slot'), terms: field(page, 'terms') })
      },
    }
  }
  const mailsTo = async (email: string) =>
    (await shop.runtime.db.selectFrom('mails').select('kind').where('recipient', '=', email).execute()).length
  return { shop, from, mailsTo }
}

test('[mail bombs] who books to cancel again can do so for one address a few times an hour, from wherever', async () => {
  const { shop, from, mailsTo } = await street({ mails_to_one: 3 })
  for (let time = 0; time < 3; time++) {
    const one = from(`203.0.113.${time}`)
    const { done } = await one.book('/book/svc_haircut')
    expect(done.status).toBe(303)
    expect((await one.cancel(done.headers.location ?? '')).status).toBe(303)
  }
  const mailed = await mailsTo(ROSA.email)
  expect(mailed).toBe(6)
  const { done } = await from('203.0.113.9').book('/book/svc_haircut')
  expect(done.status).toBe(429)
  expect(done.body).toContain('Too many bookings with this email address in the past hour.')
  expect(done.body).toMatch(/Try again in (59|60) minutes, or contact us\./)
  expect(done.body).toContain('value="rosa@example.com"')
  expect(Number(done.headers['retry-after'])).toBeGreaterThan(3_500)
  const german = await from('203.0.113.10', { 'accept-language': 'de' }).book('/book/svc_haircut')
  expect(german.done.body).toContain('zu viele Buchungen mit dieser E-Mail-Adresse')
  expect(await mailsTo(ROSA.email)).toBe(mailed)
  expect(shop.logged.join('')).toContain('"limit":"limits.visitors.mails_to_one"')
  expect((await from('203.0.113.9').book('/book/svc_haircut', { ...ROSA, email: 'a@example.com' })).done.status).toBe(
    303,
  )
  shop.minutesLater(60)
  expect((await from('203.0.113.9').book('/book/svc_haircut')).done.status).toBe(303)
})

test('[mail bombs] one network causes so many an hour, also by moving what it has booked', async () => {
  const { from, mailsTo } = await street({ mails: 2 })
  const one = from('203.0.113.20')
  const { done } = await one.book('/book/svc_haircut')
  const booking = done.headers.location ?? ''
  expect((await one.move(booking, '2026-11-25')).status).toBe(303)
  const refused = await one.move(booking, '2026-11-28')
  expect(refused.status).toBe(429)
  expect(refused.body).toMatch(/bookings from your network just now\. Try again in (59|60) minutes/)
  expect(refused.body).not.toContain('Please wait')
  expect(await mailsTo(ROSA.email)).toBe(2)
  const other = await one.book('/book/svc_haircut', { ...ROSA, email: 'other@example.com' })
  expect(other.done.status).toBe(429)
  expect(other.done.body).toContain('from your network')
  // What is booked can always be canceled.
  expect((await one.cancel(booking)).status).toBe(303)
})

test('[mail bombs] a family books five visits and moves each of them', async () => {
  const { from } = await street(defaultLimits.visitors)
  const one = from('203.0.113.30')
  for (let visit = 0; visit < 5; visit++) {
    const { done } = await one.book('/book/svc_haircut')
    expect(done.status).toBe(303)
    expect((await one.move(done.headers.location ?? '', '2026-11-28')).status).toBe(303)
  }
})

test('[mail bombs] one network asks for so many links to sign in by, and is refused alike for every address', async () => {
  const { book, person, mailsTo } = await myShop(studio({ limits: { visitors: { mails: 3 } } }))
  const known = ['ann@example.com', 'bob@example.com', 'cid@example.com', 'dan@example.com']
  for (const email of known) await book(email)
  const ask = (email: string, address = '198.51.100.7') => person(address).ask(email)
  for (const email of ['ann@example.com', 'nobody@example.com', 'bob@example.com'])
    expect((await ask(email)).status).toBe(200)
  const answers = [await ask('dan@example.com'), await ask('neither@example.com')]
  for (const { status, body, headers } of answers) {
    expect([status, Number(headers['retry-after']) > 3_500]).toEqual([429, true])
    expect(body).toMatch(/Try again in (59|60) minutes/)
  }
  expect(await mailsTo('dan@example.com')).toEqual([])
  expect((await ask('dan@example.com', '198.51.100.8')).status).toBe(200)
  expect(await mailsTo('dan@example.com')).toHaveLength(1)
})
