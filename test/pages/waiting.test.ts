import { describe, expect, test } from 'vitest'
import { entryUrl } from '../../src/domain/waitlist/entry-page-link.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, restDesk, testShop } from '../support/desk.ts'
import { START } from '../support/server.ts'
import { browser } from './shop.ts'

const HOSTILE = '<script>alert("x")</script>'
const EVERY_DAY = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const one = (id: string, more: Partial<ServiceDefinition> = {}): ServiceDefinition =>
  service(id, {
    name: `${id} ${HOSTILE}`,
    type: 'group',
    capacity: { max: 1, waitlist: true },
    sessions: [{ days: [...EVERY_DAY], starts: '10:00' }],
    ...more,
  })

const services = [
  one('svc_class'),
  one('svc_strict', { waitlist: { on_decline: 'remove' } }),
  service('svc_home', {
    channel: { type: 'at_buyer_location' },
    capacity: { max: 1, waitlist: true },
    service_limits: { postal_codes: { country: 'US', codes: ['10012'] } },
  }),
]
const shop = await testShop(businessWith(services), { env: { BASE_URL: 'https://book.example' } })
const desk = restDesk(shop)
const page = browser(shop)

/** As much of an entry or a slot as is looked at here. */
interface Told {
  id: string
  status: string
  state?: string
}

const person = (name: string) => ({ ...buyer, first_name: name, email: `${name}${Math.random()}@example.com` })
const get = async (entry_id: string): Promise<Told> => (await desk.call('usp_waitlist_get', { entry_id })).data.entry
const urlOf = ({ id }: Told) => entryUrl('https://book.example', shop.runtime.tag, id)

/** Somebody has the place, and somebody else waits for it. */
async function inLine(service_id: string, more: object = {}) {
  shop.time.now = START
  const address = { line1: '1 Prince St', city: 'New York', country: 'US', postal_code: '10012' }
  const atHome = service_id === 'svc_home' ? { delivery_address: address } : {}
  const slot = (await desk.slots(service_id)).find(({ state }: Told) => state !== 'waitlist')
  const { booking } = (await desk.book(slot, atHome)).data
  const join = { service_id, slot_id: slot.id, buyer: person('ann'), ...more }
  const { entry } = (await desk.call('usp_waitlist_join', join)).data
  return { booking, entry, slot, free: () => desk.cancel(booking.id) }
}
const slotIn = (body: string) => /name="slot" value="([^"]*)"/.exec(body)?.[1] ?? ''
/** What the form sends by itself. */
const formIn = (body: string) => ({ slot: slotIn(body), terms: /name="terms" value="([^"]*)"/.exec(body)?.[1] ?? '' })

describe('whoever waits', () => {
  test('sees the place in line, what for and until when', async () => {
    const { entry, slot } = await inLine('svc_class')
    const second = (
      await desk.call('usp_waitlist_join', { service_id: 'svc_class', slot_id: slot.id, buyer: person('ben') })
    ).data.entry
    const { status, body } = await page.open(urlOf(entry))
    expect(status).toBe(200)
    expect(body).toContain('You are first in line.')
    expect(body).toContain('svc_class &lt;script&gt;')
    expect(body).not.toContain('<script>')
    expect(body).toContain('<dt>Until</dt>')
    expect(body).not.toContain('<form')
    expect((await page.open(urlOf(second))).body).toContain('You are number 2 in line.')
  })

  test('sees the times that would do, in words', async () => {
    shop.time.now = START
    const preferred_slots = [
      { start_date: '2026-12-01', end_date: '2026-12-03', time_of_day: 'Morning' },
      { start_date: '2026-12-05', time_of_day: HOSTILE },
      { end_date: '2026-12-07' },
      {},
    ]
    const slots = await desk.slots('svc_strict')
    for (const slot of slots) await desk.book(slot)
    const joined = await desk.call('usp_waitlist_join', {
      service_id: 'svc_strict',
      buyer: person('eve'),
      preferred_slots,
    })
    const { body } = await page.open(urlOf(joined.data.entry))
    expect(body).toContain('Tuesday, December 1, 2026 to Thursday, December 3, 2026, Morning')
    expect(body).toContain('From Saturday, December 5, 2026')
    expect(body).toContain('Until Monday, December 7, 2026')
    expect(body).toContain('Any time')
    expect(body).not.toContain('<script>')
  })

  test('leaves after being asked once more, and twice does no more than once', async () => {
    const { entry } = await inLine('svc_class')
    const url = `${urlOf(entry)}/leave`
    expect((await page.open(urlOf(entry))).body).toContain(`href="${new URL(url).pathname}"`)
    expect((await page.open(url)).body).toContain('<h1>Leave the waitlist?</h1>')
    expect(await get(entry.id)).toMatchObject({ status: 'waiting' })
    const answers = await Promise.all([1, 2, 3].map(() => page.send(url)))
    expect(answers.map(({ status, headers }) => [status, headers.location])).toEqual(
      Array(3).fill([303, new URL(urlOf(entry)).pathname]),
    )
    expect(await get(entry.id)).toMatchObject({ status: 'removed' })
    const { body } = await page.open(urlOf(entry))
    expect(body).toContain('<h1>You are no longer on the waitlist</h1>')
    expect(body).not.toContain('/leave')
    expect((await page.open(url)).headers.location).toBe(new URL(urlOf(entry)).pathname)
  })
})

describe('whoever is offered a place', () => {
  test('sees how long it is kept, takes it, and is led to the booking', async () => {
    const { entry, free } = await inLine('svc_class')
    await free()
    shop.minutesLater(5)
    const { body } = await page.open(urlOf(entry))
    expect(body).toContain('<h1>A spot opened up for you</h1>')
    expect(body).toContain('25 minutes left.')
    expect(body).toContain('<dd>$75.00</dd>')
    const form = formIn(body)
    const answers = await Promise.all([1, 2, 3].map(() => page.send(urlOf(entry), form)))
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await get(entry.id)).toMatchObject({ status: 'accepted' })
    const { location = '' } = (await page.open(urlOf(entry))).headers
    expect(location).toMatch(/^\/booking\/bkg_[^/]+\/manage\//)
    expect((await page.open(`https://book.example${location}`)).body).toContain('Confirmed. See you then!')
    const made = await shop.runtime.db
      .selectFrom('changes')
      .select(['actor', 'action'])
      .where('subject', '=', `booking ${location.split('/')[2]}`)
      .execute()
    expect(made).toEqual([{ actor: 'buyer', action: 'create' }])
  })

  test('declines after being asked once more, and goes to the end of the line or out of it', async () => {
    const { entry, free } = await inLine('svc_class')
    await free()
    const url = `${urlOf(entry)}/decline`
    const { body } = await page.open(url)
    expect(body).toContain('and you leave the waitlist.')
    expect(await get(entry.id)).toMatchObject({ status: 'offered' })
    expect((await page.send(url, { slot: slotIn(body) })).status).toBe(303)
    expect((await page.send(url, { slot: slotIn(body) })).status).toBe(303)
    expect(await get(entry.id)).toMatchObject({ status: 'removed' })
  })

  test('of another offer than the page showed nothing is taken and nothing given back', async () => {
    const { entry, free } = await inLine('svc_class')
    await free()
    for (const slot of ['', 'slot_x', HOSTILE]) {
      expect((await page.send(urlOf(entry), { slot })).status).toBe(303)
      expect((await page.send(`${urlOf(entry)}/decline`, { slot })).status).toBe(303)
    }
    expect(await get(entry.id)).toMatchObject({ status: 'offered' })
  })

  test('takes it for no other price than the page showed, which shows the other one first', async () => {
    const { entry, free } = await inLine('svc_class')
    await free()
    const shown = (await page.open(urlOf(entry))).body
    await shop.apply(businessWith(services.map((one) => ({ ...one, pricing: { ...one.pricing, amount: 15_000 } }))))
    await shop.runtime.business.seenBy(shop.runtime.db)
    const refused = await page.send(urlOf(entry), formIn(shown))
    expect([refused.status, refused.body]).toEqual([409, expect.stringContaining('The price has changed')])
    expect(refused.body).toContain('<dd>$150.00</dd>')
    expect(await get(entry.id)).toMatchObject({ status: 'offered' })
    expect((await page.send(urlOf(entry), formIn(refused.body))).status).toBe(303)
    expect(await get(entry.id)).toMatchObject({ status: 'accepted' })
    await shop.apply(businessWith(services))
    await shop.runtime.business.seenBy(shop.runtime.db)
  })

  test('hears after its time that it has passed, and takes nothing any more', async () => {
    const { entry, free } = await inLine('svc_class')
    await free()
    const form = formIn((await page.open(urlOf(entry))).body)
    shop.minutesLater(31)
    const late = await page.open(urlOf(entry))
    expect([late.status, late.body.includes('has expired')]).toEqual([410, true])
    expect(late.body).not.toContain('<form')
    expect((await page.send(urlOf(entry), form)).status).toBe(303)
    expect(await get(entry.id)).toMatchObject({ status: 'expired' })
  })

  test('tells where to come to where the business comes to people, as far as it does', async () => {
    const { entry, free } = await inLine('svc_home')
    await free()
    const { body } = await page.open(urlOf(entry))
    const form = formIn(body)
    expect(body).toContain('<label for="line1">')
    const missing = await page.send(urlOf(entry), { ...form, line1: HOSTILE })
    expect(missing.status).toBe(422)
    expect(missing.body).toContain('aria-describedby="city-error"')
    expect(missing.body).not.toContain('<script>')
    const there = { ...form, line1: '2 Prince St', city: 'New York', country: 'US' }
    const nowhere = await page.send(urlOf(entry), { ...there, country: 'QQ', postal_code: '10012' })
    expect(nowhere.body).toMatch(/<select id="country"[^>]* aria-describedby="country-error">/)
    const uncoded = await page.send(urlOf(entry), there)
    expect(uncoded.body).toContain('aria-describedby="postal_code-error"')
    const outside = await page.send(urlOf(entry), { ...there, postal_code: '99999' })
    expect(outside.status).toBe(422)
    expect(outside.body).toContain('This address is outside our service area.')
    expect(await get(entry.id)).toMatchObject({ status: 'offered' })
    expect((await page.send(urlOf(entry), { ...there, postal_code: '10012' })).status).toBe(303)
    expect(await get(entry.id)).toMatchObject({ status: 'accepted' })
  })
})

describe('is refused', () => {
  test('to a form from another site', async () => {
    const { entry, free } = await inLine('svc_class')
    await free()
    const slot = slotIn((await page.open(urlOf(entry))).body)
    for (const way of ['', '/leave', '/decline'])
      expect((await page.send(`${urlOf(entry)}${way}`, { slot }, { origin: 'https://evil.example' })).status).toBe(403)
    expect(await get(entry.id)).toMatchObject({ status: 'offered' })
  })

  test('to another secret, entry or way: the same plain page says that there is nothing', async () => {
    const [{ entry }, { entry: other }] = [await inLine('svc_class'), await inLine('svc_class')]
    const url = urlOf(entry)
    const wrong = [
      `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`,
      url.replace(entry.id, other.id),
      url.replace(entry.id, 'wle_none'),
      `${url}/away`,
      `${url}/constructor`,
    ]
    for (const one of wrong) {
      const { status, body } = await page.open(one)
      expect([status, body.includes('Page not found')]).toEqual([404, true])
      expect((await page.send(one)).status).toBe(404)
    }
    expect(await get(entry.id)).toMatchObject({ status: 'waiting' })
  })
})
