import { expect, test } from 'vitest'
import { expectFault } from '../definition/reading.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { soon, toldShop } from './told-shop.ts'

const definition = (retries: string[]) => businessWith([service('svc_a')], { events: { retries } })

test.each([
  { retries: [], waits: [] },
  { retries: ['PT5S', 'PT1M'], waits: [5, 60] },
  { retries: ['PT30S', 'PT2M', 'PT8M', 'PT1H', 'P1D'], waits: [30, 120, 480, 3_600, 86_400] },
])('[EVT-039] a business that names $retries tries again after these and then gives up', async ({ retries, waits }) => {
  const shop = await toldShop(definition(retries))
  const desk = restDesk(shop)
  const { id } = (await desk.book((await desk.slots('svc_a', soon(shop)))[0])).data.booking
  await desk.cancel(id)
  shop.receiver.answer = 503
  expect(await shop.told()).toHaveLength(1)
  for (const seconds of waits) {
    expect(await shop.toldAfter(seconds - 1)).toEqual([])
    expect(await shop.toldAfter(1)).toHaveLength(1)
  }
  expect(await shop.toldAfter(7 * 86_400)).toEqual([])
  const { data } = await desk.call('usp_business_deliveries_list', {}, { as: shop.staff })
  expect(data.deliveries).toMatchObject([{ status: 'given_up', attempts: waits.length + 1 }])
})

test.each([
  ['events.retries', ['soon']],
  ['events.retries', ['P999999Y']],
  ['events.retries', 'PT30S'],
  ['reminder', ['P1D', 'P999999Y']],
  ['reminder', 'P999999Y'],
  ['reminder', [{ before: 'P999999Y', by: 'text' }]],
  ['services[svc_a].reminder', ['P1D', 'P999999Y']],
  ['services[svc_a].reminder', 'P999999Y'],
  ['services[svc_a].reminder', [{ before: 'P999999Y' }]],
])('%s cannot be %j', (path, wrong) => {
  const named = path === 'events.retries' && wrong[0] === 'soon' ? 'events.retries[0]' : path
  expectFault({ ...definition(['PT30S']), reminder: 'P1D' }, path, wrong, named)
})
