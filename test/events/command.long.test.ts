import { expect, test } from 'vitest'
import { commandLine } from '../definition/command.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk } from '../support/desk.ts'
import { soon, toldShop } from './told-shop.ts'

const databaseUrl = await freshDatabase()
const shop = await toldShop(businessWith([service('svc_a')], { events: { retries: [] } }), { databaseUrl })
const desk = restDesk(shop)
const { usp } = commandLine(databaseUrl)
const events = (...args: string[]) => usp('events', ...args)

/** Bookings whose end nobody received. */
async function lost(count: number): Promise<string[]> {
  const ids: string[] = []
  for (const slot of (await desk.slots('svc_a', soon(shop))).slice(0, count)) {
    const { id } = (await desk.book(slot)).data.booking
    await desk.cancel(id)
    ids.push(id)
  }
  await shop.told()
  return ids
}
const deliveryOf = async (booking: string) => {
  const { data } = await desk.call(
    'usp_business_deliveries_list',
    { subject: `booking ${booking}` },
    { as: shop.staff },
  )
  return data.deliveries[0]
}

test('[EVT-044] [EVT-045] what nobody received is listed, shown with its attempts, and sent again, one or all since', async () => {
  shop.receiver.answer = 503
  const [first, second, third] = await lost(3)
  const { id, event_id } = await deliveryOf(String(first))

  const { out } = await events('list', '--status', 'given_up')
  expect(out.split('\n')[0]).toMatch(/^id +event +subject +receiver +status +attempts +at$/)
  for (const booking of [first, second, third])
    expect(out).toMatch(new RegExp(`booking\\.canceled  booking ${booking}  profile https://\\S+  given_up  1 `))
  expect((await events('list', '--subject', `booking ${first}`)).out.trim().split('\n')).toHaveLength(2)
  expect((await events('list', '--status', 'delivered')).out).toBe('None.\n')
  expect((await events('list', '--receiver', 'profile https://nobody.example')).out).toBe('None.\n')

  const shown = (await events('show', id)).out
  expect(shown).toContain(event_id)
  expect(shown).toMatch(/^2026-11-20T\S+Z {2}503 +\d+ +answered 503$/m)

  shop.receiver.answer = 204
  expect((await events('replay', id)).out).toBe('1 sent again.\n')
  expect((await shop.toldAfter(60 * 86_400)).map(({ booking_id }) => booking_id)).toEqual([first])
  expect((await events('show', id)).out).toMatch(/delivered.*503.* 204 /s)
  const again = await events(
    'replay',
    '--since',
    '2026-11-20T00:00:00Z',
    '--receiver',
    'profile https://nobody.example',
  )
  expect(again.out).toBe('0 sent again.\n')
  expect((await events('replay', '--since', '2026-11-20T00:00:00Z')).out).toBe('2 sent again.\n')
  const told = await shop.toldAfter(60 * 86_400)
  expect(told.map(({ booking_id }) => booking_id).sort()).toEqual([second, third].sort())
  expect(await events('replay', '--since', '2026-11-20T00:00:00Z')).toMatchObject({ out: '0 sent again.\n' })
})

test.each([
  ['nothing', []],
  ['an unknown status', ['list', '--status', 'lost']],
  ['no id', ['show']],
  ['neither id nor time', ['replay']],
  ['both', ['replay', '1', '--since', '2026-11-20T00:00:00Z']],
  ['no time', ['replay', '--since', 'yesterday']],
  ['another option', ['list', '--all']],
])('with %s it says how it is called', async (_, args) => {
  expect(await events(...args)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(/^Usage: usp events list/),
  })
})

test('a delivery that is unknown is said to be', async () => {
  expect(await events('show', '0')).toMatchObject({ code: 1, err: expect.stringContaining('There is no delivery 0.') })
})
