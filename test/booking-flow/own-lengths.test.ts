import { expect, test } from 'vitest'
import type { BusinessDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testShop } from '../support/desk.ts'
import { ROSA, visitor } from './visitor.ts'

const definition: BusinessDefinition = businessWith(
  [
    service('svc_cut', {
      duration_rules: [{ resources: ['staff_alex'], fixed: 'PT90M' }],
      resources: [{ type: 'staff', selectable: true, options: ['staff_jane', 'staff_alex'] }],
    }),
  ],
  {
    hours: [{ days: ['tuesday', 'wednesday'], opens: '09:00', closes: '12:00' }],
    resources: [
      { id: 'staff_jane', type: 'staff', name: 'Jane' },
      { id: 'staff_alex', type: 'staff', name: 'Alex' },
    ],
  },
)
const shop = await testShop(definition)
const browser = visitor(shop)
const buttons = (body: string) =>
  [...body.matchAll(/<button name="time" value="(\d+-\d+)">([^<]*)<small>([^<]*)</g)].map(
    ([, time = '', clock, length]) => ({ time, clock, length }),
  )

test('[how long with whom] the page says between what and what, asks nobody for it, and shows an hour once', async () => {
  const { body } = await browser.open('/book/svc_cut?day=2026-11-24')
  expect(body).toContain('<li>1 hr to 1 hr 30 min</li>')
  expect(body).not.toContain('name="length"')
  const nine = buttons(body).filter(({ clock }) => clock?.startsWith('9:00'))
  expect(nine.map(({ length }) => length)).toEqual(['1 hr to 1 hr 30 min'])
  const eleven = buttons(body).filter(({ clock }) => clock?.startsWith('11:00'))
  expect(eleven.map(({ length }) => length)).toEqual(['1 hr'])
  const alex = buttons((await browser.open('/book/svc_cut?day=2026-11-24&with=staff_alex')).body)
  expect(alex.map(({ clock }) => clock)).toEqual(['9:00 AM', '9:30 AM', '10:00 AM', '10:30 AM'])
})

test('[how long with whom] the time that is pressed is booked, and moving to somebody else takes as long as with them', async () => {
  const page = await browser.open('/book/svc_cut?day=2026-11-24&with=staff_alex')
  const held = await browser.press(page, buttons(page.body)[0]?.time ?? '')
  const done = await browser.fill(held.headers.location ?? '', ROSA)
  const row = async () => {
    const { starts_at, ends_at, resource_ids } = await shop.runtime.db
      .selectFrom('bookings')
      .selectAll()
      .executeTakeFirstOrThrow()
    return [starts_at.toISOString(), ends_at.toISOString(), resource_ids]
  }
  expect(await row()).toEqual(['2026-11-24T14:00:00.000Z', '2026-11-24T15:30:00.000Z', ['staff_alex']])
  const manage = await browser.open(done.headers.location ?? '')
  const move = /href="(\/booking\/[^"]*\/move\/[^"]*)"/.exec(manage.body)?.[1] ?? ''
  const { body } = await browser.open(`${move}?day=2026-11-25&with=staff_jane`)
  const times = [...body.matchAll(/href="([^"]*time=\d+-\d+)">([^<]*)<small>([^<]*)</g)]
  expect(times.map(([, , clock]) => clock)).toEqual(['9:00 AM', '9:30 AM', '10:00 AM', '10:30 AM', '11:00 AM'])
  const asked = await browser.open(times[0]?.[1]?.replaceAll('&amp;', '&') ?? '')
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(asked.body)?.[1] ?? ''
  const { action, token } = browser.formOf(asked)
  await browser.send(action || move, { form: token, slot: field('slot'), terms: field('terms') })
  expect(await row()).toEqual(['2026-11-25T14:00:00.000Z', '2026-11-25T15:00:00.000Z', ['staff_jane']])
})

test('[how long with whom] whoever is free at the hour that is pressed is had, for as long as with them', async () => {
  const lengths = new Set<number>()
  for (const _ of [1, 2]) {
    const page = await browser.open('/book/svc_cut?day=2026-11-25')
    const ten = buttons(page.body).find(({ clock }) => clock?.startsWith('10:30'))
    const held = await browser.press(page, ten?.time ?? '')
    await browser.fill(held.headers.location ?? '', ROSA)
  }
  const rows = await shop.runtime.db
    .selectFrom('bookings')
    .selectAll()
    .where('starts_at', '=', new Date('2026-11-25T15:30:00Z'))
    .execute()
  for (const { starts_at, ends_at } of rows) lengths.add((ends_at.getTime() - starts_at.getTime()) / 60_000)
  expect([...lengths].toSorted()).toEqual([60, 90])
})
