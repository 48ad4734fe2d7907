import { expect, test } from 'vitest'
import { mcpDesk } from '../../support/desk.ts'
import { CLASS, lineOf, openShop } from '../../waitlist/queue.ts'
import { assistant, pathOf } from './talk.ts'

const shop = await openShop()
const helper = assistant(shop)

test('what is full is told to be, and a link leads to its waitlist', async () => {
  const wish = { service_ids: [CLASS], from: '2026-11-24', to: '2026-11-26' }
  const free = await helper.call('find_times', wish)
  const { slot_id } = free.data.times[0].slots[0]
  const refused = await helper.call('join_waitlist', { slot_id })
  expect([refused.isError, refused.text]).toEqual([true, 'This time is not full. Call find_times: it may be bookable.'])

  await lineOf(mcpDesk(shop)).fill()
  const { text, data } = await helper.call('find_times', wish)
  expect(text).toContain('FULL (join_waitlist)')
  expect(data.times[0].slots[0]).toMatchObject({ full: true, slot_id })
  const { data: told } = await helper.call('join_waitlist', { slot_id })
  const page = await shop.raw({ method: 'GET', url: pathOf(told.link) })
  expect(page.status).toBe(200)
  expect(page.body).toContain('name="email"')
})
