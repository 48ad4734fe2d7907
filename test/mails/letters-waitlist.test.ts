import { expect, test } from 'vitest'
import { entryUrl } from '../../src/domain/waitlist/entry-page-link.ts'
import { offerPending } from '../../src/domain/waitlist/run-waitlist-offers.ts'
import { timeRange } from '../../src/infra/i18n/format-times.ts'
import { englishLocalizer } from '../../src/infra/i18n/localizer.ts'
import { service } from '../support/definitions.ts'
import { onBothDesks, restDesk } from '../support/desk.ts'
import { withPlainSpaces } from '../support/plain.ts'
import { lineOf, person } from '../waitlist/queue.ts'
import { QUEUE, talking, talkingShop } from './letters-shop.ts'

const [FROM, TO] = [new Date('2026-11-24T15:00:00Z'), new Date('2026-11-24T16:00:00Z')]
const WHEN = timeRange(englishLocalizer(), FROM, TO, 'America/New_York')

const placeAndPrice = [
  ['Where', 'Main Street, 1 Main St, New York'],
  ['Price', '$75.00, due at your appointment'],
]

const usual = service('svc').policies

const short = { ...talking, services: talking.services.filter(({ id }) => id === QUEUE) }

await onBothDesks(
  () => talkingShop(short),
  (desk, shop) => {
    const line = lineOf(desk)
    const { config, tag } = shop.runtime
    const kinds = async (entry: { id: string }) => (await shop.lettersOf(entry)).map(({ kind }) => kind)

    test('who waits is told the place in line, an offer with its end, and that it has ended', async () => {
      const [booking, ...others] = await line.fill()
      const [ann, ben] = [await line.wait('Ann'), await line.wait('Ben')]
      const [joined] = await shop.lettersOf(ben)
      expect(joined?.letter).toMatchObject({
        subject: 'On the waitlist: Service svc_class',
        heading: 'You are on the waitlist',
        rows: [['What', 'Service svc_class'], ['When', 'Any time'], ...placeAndPrice],
        actions: [{ label: 'View or leave the waitlist', url: entryUrl(config.baseUrl, tag, ben.id) }],
      })
      expect(joined?.letter.paragraphs[0]).toBe('You are number 2 in line.')
      expect((await shop.lettersOf(ann))[0]?.letter.paragraphs[0]).toBe('You are first in line.')

      await desk.cancel(booking.id)
      const offered = (await shop.lettersOf(ann)).at(-1)
      expect(offered).toMatchObject({ kind: 'waitlist.offered', recipient: 'ann@example.com', audience: 'buyer' })
      expect(offered?.letter.paragraphs.map(withPlainSpaces)).toEqual([
        'It is held for you until Friday, November 20, 2026 at 7:30 AM EST. After that, we offer it to the next person in line.',
        'Free cancellation.',
      ])
      expect(offered?.letter).toMatchObject({
        heading: 'A spot opened up for you',
        rows: [['What', 'Service svc_class'], ['When', WHEN], ...placeAndPrice],
        actions: [{ label: 'Accept or decline', url: entryUrl(config.baseUrl, tag, ann.id) }],
      })

      shop.minutesLater(30)
      await offerPending(shop.runtime)
      expect(await kinds(ann)).toEqual(['waitlist.joined', 'waitlist.offered', 'waitlist.lapsed'])
      const lapsed = (await shop.lettersOf(ann)).at(-1)
      expect(withPlainSpaces(lapsed?.letter.paragraphs[0] ?? '')).toContain(
        'You did not accept it by Friday, November 20, 2026 at 7:30 AM EST',
      )
      expect(lapsed?.letter.rows).toEqual([['What', 'Service svc_class'], ['When', WHEN], ...placeAndPrice])
      expect(await kinds(ben)).toEqual(['waitlist.joined', 'waitlist.offered'])

      const { data } = await line.accept(ben.id)
      expect((await shop.lettersOf(data.booking)).map(({ kind, audience }) => [audience, kind])).toEqual([
        ['buyer', 'booking.confirmed'],
        ['staff', 'booking.confirmed'],
      ])
      expect(await kinds(ben)).toHaveLength(2)
      expect(others.length).toBeGreaterThan(0)
    })

    test('nobody is written to under an address that leads nowhere', async () => {
      const nowhere = await line.wait('Eve', { buyer: { ...person('Eve'), email: 'eve@nobody.invalid' } })
      expect(nowhere.status).toBe('waiting')
      expect(await kinds(nowhere)).toEqual([])
    })
  },
)

const dear = service('svc_dear_class', {
  type: 'group',
  capacity: { max: 1, waitlist: true },
  pricing: {
    model: 'fixed',
    amount: 10_000,
    currency: 'USD',
    deposit: { type: 'fixed', value: 3000, refundable: true },
  },
  // What it cost once is not what it is to be had for.
  price_rules: [
    { from: '18:00', amount: 9000 },
    { season: { to: '2026-11-19' }, amount: 100 },
  ],
  policies: {
    ...usual,
    payment_timing: 'deposit_required',
    confirmation_mode: 'manual',
    cancellation: { allowed: true, free_cancellation_until: 'PT24H', late_cancellation_fee: 2000 },
  },
  sessions: [{ days: ['tuesday'], starts: '10:00', location: 'loc_hill' }],
})
const locations = [...(talking.locations ?? []), { id: 'loc_hill', name: 'Hill', address: '2 Hill Rd, New York' }]

test('[what is waited for] an offer says what is to be paid at once, what later, and the terms', async () => {
  const shop = await talkingShop({ services: [dear], locations })
  const desk = restDesk(shop)
  const { booking } = (await desk.book((await desk.slots(dear.id))[0])).data
  const morning = { start_date: '2026-11-23', end_date: '2026-11-24', time_of_day: 'morning' }
  const preferred_slots = [morning, { start_date: '2026-11-27' }]
  const ann = await lineOf(desk).wait('Ann', { service_id: dear.id, preferred_slots })
  expect((await shop.lettersOf(ann))[0]?.letter.rows).toEqual([
    ['What', 'Service svc_dear_class'],
    ['When', 'Monday, November 23, 2026 to Tuesday, November 24, 2026, Morning\nFrom Friday, November 27, 2026'],
    ['Where', 'Main Street, 1 Main St, New York\nHill, 2 Hill Rd, New York'],
    ['Price', 'from $90.00, $30.00 of it in advance'],
  ])
  await desk.cancel(booking.id)
  const { letter } = (await shop.lettersOf(ann)).at(-1) ?? {}
  expect(letter?.rows).toEqual([
    ...[
      ['What', 'Service svc_dear_class'],
      ['When', WHEN],
      ['Where', 'Hill, 2 Hill Rd, New York'],
    ],
    ['Price', '$100.00, $30.00 of it in advance'],
    ['Due now', '$30.00'],
    ['Due at your appointment', '$70.00'],
  ])
  expect(letter?.paragraphs.slice(1).map(withPlainSpaces)).toEqual([
    'Test Studio reviews each request. Your booking is confirmed once they accept it.',
    'Free cancellation until Monday, November 23, 2026 at 10:00 AM EST. After that, canceling costs $20.00.',
  ])
})
