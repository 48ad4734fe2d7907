import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultLimits } from '../../src/core/limits/rate-limits.ts'
import { businessWith, service } from '../support/definitions.ts'
import { buyer, type Desk, newcomer, onBothDesks, testShop } from '../support/desk.ts'
import { testPlatform } from '../support/platform.ts'

const { availability, holds, bookings, staff } = defaultLimits
const open = () => testShop(businessWith([service('svc_a')], { limits: { availability, holds, bookings, staff } }))
const unknown = { service_id: 'svc_a', slot_id: 'none' }
const bookFor = (email: string) => (desk: Desk) =>
  desk.call('usp_bookings_create', { ...unknown, buyer: { ...buyer, email } })

await onBothDesks(open, (desk, shop) => {
  const codesOf = async (count: number, ask: (desk: Desk) => ReturnType<Desk['call']>) => {
    const codes = []
    for (let calls = 0; calls < count; calls++) codes.push((await ask(desk)).code)
    return codes
  }

  test.each([
    [
      'LIM-008',
      'availability queries',
      60,
      undefined,
      (one: Desk) =>
        one.call('usp_availability_query', { service_id: 'svc_a', start_date: '2026-11-24', end_date: '2026-11-24' }),
    ],
    ['LIM-009', 'holds', 30, 'slot_unavailable', (one: Desk) => one.call('usp_availability_hold', unknown)],
    ['LIM-010', 'bookings for one buyer', 20, 'slot_unavailable', bookFor('one@example.com')],
  ])('[%s] so many %s are answered in a minute: %i, the next is refused', async (_, __, most, code, ask) => {
    shop.minutesLater(2)
    const codes = await codesOf(most + 1, ask)
    expect(codes).toEqual([...Array.from({ length: most }, () => code), 'rate_limited'])
  })

  test('somebody of the staff has calls enough for a front desk, and no more', async () => {
    shop.minutesLater(2)
    const codes = await codesOf(301, (one) => one.call('usp_business_bookings_list', {}, { as: shop.staff }))
    expect(codes).toEqual([...Array.from({ length: 300 }, () => undefined), 'rate_limited'])
  })

  test('[LIM-011] the bookings for one buyer leave those for another alone', async () => {
    shop.minutesLater(2)
    const [one, other] = [bookFor('one@example.com'), bookFor('other@example.com')]
    const allowed = Array.from({ length: 20 }, () => 'slot_unavailable')
    expect(await codesOf(20, one)).toEqual(allowed)
    expect(await codesOf(20, other)).toEqual(allowed)
    expect(await codesOf(1, one)).toEqual(['rate_limited'])
    expect(await codesOf(1, other)).toEqual(['rate_limited'])
  })
})

await onBothDesks(
  async () => {
    const definition = businessWith([service('svc_a')], { limits: { strangers: defaultLimits.strangers } })
    return testShop(definition, { env: { TRUST_PROXY: '127.0.0.1' } })
  },
  (desk, shop) => {
    test('[strangers: bookings] a flood of keys meets what is usual, and a client of the business from there does not', async () => {
      const { url } = await testPlatform()
      const address = '203.0.113.1'
      let end = ''
      const slots = (await desk.slots('svc_a')).filter((slot) => {
        const isFree = slot.start >= end
        if (isFree) end = slot.end
        return isFree
      })
      const { bookings } = defaultLimits.strangers
      const codes: (string | undefined)[] = []
      for (const slot of slots.slice(0, bookings + 5))
        codes.push((await desk.book(slot, {}, { as: newcomer(url, address) })).code)
      expect(codes).toEqual([...Array(bookings).fill(undefined), ...Array(5).fill('rate_limited')])
      const known = { as: { ...shop.platform, address } }
      expect((await desk.book(slots[bookings + 5], {}, known)).code).toBeUndefined()
    })
  },
)

test('[the usual limits] what strangers have together is what the documentation says', () => {
  const page = readFileSync('docs/callers.md', 'utf8')
  const { calls, holds, bookings, waitlist, mails, mails_to_one, listings } = defaultLimits.strangers
  expect(page).toContain(
    `strangers: { calls: ${calls}, holds: ${holds}, bookings: ${bookings}, waitlist: ${waitlist}, mails: ${mails}, mails_to_one: ${mails_to_one}, listings: ${listings} }`,
  )
})

test('the page for platforms names the usual limits of live holds and of unpublished keys', () => {
  const page = readFileSync('docs/platforms.md', 'utf8').replace(/\s+/g, ' ')
  expect(page).toContain(`| ${defaultLimits.live_holds}, for all its buyers together (\`limits.live_holds\`)`)
  const { beside_keys } = defaultLimits.strangers
  expect(page).toContain(`${beside_keys} changes per minute (\`limits.strangers.beside_keys\`)`)
})
