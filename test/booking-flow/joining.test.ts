import { expect, test } from 'vitest'
import { entryUrl } from '../../src/domain/waitlist/entry-page-link.ts'
import { talkingShop } from '../mails/letters-shop.ts'
import { ROSA, salon, visitor } from './visitor.ts'

const shop = await talkingShop(salon(), { TRUST_PROXY: '127.0.0.1' })
const from = (address: string) => visitor(shop, { 'x-forwarded-for': address })
const browser = from('203.0.113.1')
const entries = () => shop.runtime.db.selectFrom('waitlist_entries').select('id').orderBy('number').execute()
const DAY = '/book/svc_yoga?day=2026-11-24'
await browser.book(`${DAY}&party=8`)
const full = await browser.open(DAY)
const queue = /href="(\/book\/svc_yoga\/waitlist[^"]*)"/.exec(full.body)?.[1]?.replaceAll('&amp;', '&') ?? ''

async function form(one = browser) {
  const { token } = one.formOf(await one.open(queue))
  shop.time.now = new Date(shop.time.now.getTime() + 5_000)
  return token
}

test('[exactly once] a form that is sent many times at once joins once, and all of them lead there', async () => {
  const token = await form()
  const sent = await Promise.all(Array.from({ length: 24 }, () => browser.send(queue, { ...ROSA, form: token })))
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([303]))
  expect(new Set(sent.map(({ headers }) => headers.location)).size).toBe(1)
  expect(await entries()).toHaveLength(1)
})

/** What somebody else's form is answered, and whatever of it is not theirs alone. */
async function joined(email: string, network: string) {
  const other = from(network)
  const { status, headers, body } = await other.send(queue, { ...ROSA, email, form: await form(other) })
  const place = await other.open(headers.location ?? '')
  const plain = place.body.replaceAll(headers.location ?? '', '').replaceAll(/r\*{3}@example\.com/gi, '')
  return { status, body, names: Object.keys(headers).toSorted(), id: headers.location?.split('/')[2], place: plain }
}

test('[who waits is nobody’s to learn] an address that waits is answered as one that does not, and has a place of its own', async () => {
  const [known, KNOWN, unknown] = [
    await joined(ROSA.email, '203.0.113.2'),
    await joined(ROSA.email.toUpperCase(), '203.0.113.2'),
    await joined('rita@example.com', '203.0.113.2'),
  ]
  for (const one of [known, KNOWN, unknown]) expect(one).toMatchObject({ status: 303, body: '', names: known.names })
  const numbered = (place: string, number: number) => place.replace(`number ${number} in line`, 'number N in line')
  expect(numbered(known.place, 2)).toBe(numbered(unknown.place, 4))
  expect(numbered(KNOWN.place, 3)).toBe(numbered(unknown.place, 4))
  expect(await entries()).toHaveLength(4)
})

test('[who waits twice] is told by the mail alone where the place is that they had before', async () => {
  const [first] = await entries()
  const { id = '' } = await joined(ROSA.email, '203.0.113.5')
  const { config, tag } = shop.runtime
  const urlOf = (entry = '') => entryUrl(config.baseUrl, tag, entry)
  expect((await shop.lettersOf({ id }))[0]?.letter.actions).toEqual([
    { label: 'View or leave the waitlist', url: urlOf(id) },
    { label: 'View your earlier waitlist entry', url: urlOf(first?.id) },
  ])
  expect((await shop.lettersOf({ id: first?.id ?? '' }))[0]?.letter.actions).toEqual([
    { label: 'View or leave the waitlist', url: urlOf(first?.id) },
  ])
})
