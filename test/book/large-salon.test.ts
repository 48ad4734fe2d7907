import { expect, test } from 'vitest'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testShop } from '../support/desk.ts'
import { slowness } from '../support/slowness.ts'
import { visitor } from './visitor.ts'

/** Milliseconds of processor time that a page may take. */
const AT_MOST = 150

const staff = Array.from({ length: 100 }, (_, nth) => ({
  id: `staff_${nth}`,
  type: 'staff' as const,
  name: `Stylist ${nth}`,
}))
const cut: ServiceDefinition = service('svc_cut', {
  resources: [{ type: 'staff', name: 'Stylist', selectable: true, options: staff.map(({ id }) => id) }],
})
cut.policies.booking_window = { ...cut.policies.booking_window, slot_interval: 'PT15M', max_advance: 'P1Y' }
const shop = await testShop(businessWith([cut], { resources: staff }), { env: { TRUST_PROXY: '127.0.0.1' } })
const browser = visitor(shop)

test.each([
  ['the weeks in which we are', ''],
  ['other weeks', '?from=2027-03-01'],
  ['a day', '?day=2027-03-02'],
  ['somebody', '?with=staff_7&from=2027-04-01'],
  ['two of a kind, of whom one comes', '?with=staff_1&with=staff_2'],
  ['weeks that are over', '?from=2026-01-01'],
])('[no single request stalls the server] a service of a hundred people, %s', async (_, query) => {
  const turns: number[] = []
  for (let count = 0; count < 3; count++) {
    const before = process.threadCpuUsage()
    expect((await browser.open(`/book/svc_cut${query}`)).status).toBe(200)
    const { user, system } = process.threadCpuUsage(before)
    turns.push((user + system) / 1000)
  }
  // The first may be met by what is done once.
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})
