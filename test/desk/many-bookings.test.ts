import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { dryRunDefinition } from '../../src/domain/definition/apply-definition.ts'
import { countStatements } from '../support/count-statements.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'

const PEOPLE = 20
const DAYS = 400
const people = Array.from({ length: PEOPLE }, (_, nth) => `staff_${nth + 1}`)
const definition = businessWith(
  [service('svc_cut', { resources: [{ type: 'staff', selectable: true, options: people }] })],
  { resources: people.map((id) => ({ id, type: 'staff' as const, name: id })) },
)
const shop = await testShop(definition)
const { db } = shop.runtime
const EACH_DAY = PEOPLE * 2.5
const MANY = EACH_DAY * DAYS

await sql`
  insert into bookings (id, revision, principal, profile, service_id, status, starts_at, ends_at, resource_ids,
    record, people, search_text, created_at, updated_at, reminded_until)
  select 'bkg_' || person || '_' || day || '_' || nth, 1, '', '', 'svc_cut', 'confirmed', starts,
    starts + interval '45 minutes', array['staff_' || person], ${JSON.stringify({
      service: { name: 'Haircut' },
      zone: 'America/New_York',
      tasks: [],
      party_size: 1,
      policies: {},
    })}::json, ${JSON.stringify({ buyer: { first_name: 'Alex', last_name: 'Kim', email: 'a@example.com' } })}::json,
    'alex kim', now(), now(), now()
  from generate_series(1, ${PEOPLE}) person, generate_series(1, ${DAYS}) day, generate_series(0, 4) nth,
    lateral (select ${shop.time.now}::timestamptz + day * interval '1 day' + nth * interval '1 hour' as starts) at
  where (nth + person + day) % 2 = 0`.execute(db)
await sql`analyze`.execute(db)

test('what a change strands of very many bookings is found by one statement for a thousand of them', async () => {
  const closed = { ...definition, closures: [{ from: '2027-01-01', to: '2027-03-31' }] }
  const { counts, db: asked } = countStatements(db)
  const { stranded } = await dryRunDefinition(asked, closed, shop.time.now)
  expect([stranded.total, stranded.bookings.length]).toEqual([90 * EACH_DAY, 50])
  expect(counts.statements).toBeLessThanOrEqual(MANY / 1000 + 3)
}, 60_000)

test('reports of the longest time that can be asked for know all of them', async () => {
  const days = { start_date: '2026-11-21', end_date: '2027-12-25' }
  const { period } = (await restDesk(shop).call('usp_business_reports', days, { as: shop.staff })).data
  expect(period.bookings).toHaveLength(DAYS)
  const all = period.bookings.reduce((sum: number, one: { bookings: number }) => sum + one.bookings, 0)
  expect(all).toBe(MANY)
  expect(period.utilization).toHaveLength(PEOPLE)
}, 60_000)
