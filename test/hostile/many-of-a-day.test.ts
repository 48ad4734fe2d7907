import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deskSalon } from '../interfaces/desk/receptionist.ts'
import { businessWith, service } from '../support/definitions.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'

/** Milliseconds of processor time; a week all in one go takes more than twice that. */
const AT_MOST = 60
const PEOPLE = 150
const DAYS = 7

const people = Array.from({ length: PEOPLE }, (_, nth) => ({
  id: `staff_${nth}`,
  type: 'staff' as const,
  name: `Somebody called ${nth}`,
}))
const salon = await deskSalon(
  {},
  businessWith(
    [service('svc_cut', { resources: [{ type: 'staff', selectable: true, options: people.map(({ id }) => id) }] })],
    { resources: people },
  ),
)
const { shop } = salon

/** As long as strangers may write it. */
const whoComes = {
  buyer: { first_name: '<'.repeat(1_900), last_name: '&'.repeat(1_900), email: 'a@example.com' },
  notes: '<'.repeat(5_000),
}

/** Eight bookings a day with each of them. */
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
    })}::json, ${JSON.stringify(whoComes)}::json,
    'alex kim', now(), now(), now()
  from generate_series(0, ${PEOPLE - 1}) person, generate_series(0, ${DAYS - 1}) day, generate_series(0, 7) nth,
    lateral (select '2026-11-29T14:00:00Z'::timestamptz + day * interval '1 day' + nth * interval '1 hour' as starts) at
`.execute(shop.runtime.db)
await sql`analyze`.execute(shop.runtime.db)

const viewer = await salon.signedIn('viewer')

test.each([
  ['the day at the desk', async () => viewer.open('/desk?date=2026-12-01')],
  ['the week at the desk', async () => viewer.open('/desk?view=week&date=2026-12-01')],
  ['the week of one of them', async () => viewer.open('/desk?view=week&date=2026-12-01&with=staff_1')],
  [
    'the day as a call',
    async () => salon.platform.call('usp_business_day', { date: '2026-12-01' }, { as: await shop.staffAs('viewer') }),
  ],
])('[no stored value stalls the server] 1,200 bookings a day: %s', async (_, look) => {
  const turns: number[] = []
  for (let attempt = 0; attempt < 3; attempt++) {
    const longest = longestTurn()
    // Where the machine is busy the server turns calls away for a while.
    await expect.poll(async () => (await look()).status).toBe(200)
    turns.push(longest())
  }
  expect(Math.min(...turns)).toBeLessThan(AT_MOST * slowness())
})
