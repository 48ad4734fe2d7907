import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { HintRun } from '../../src/domain/availability/hints/cached-free-time-counts.ts'
import { countTimes } from '../../src/domain/availability/hints/count-free-times.ts'
import { hintDays } from '../../src/domain/availability/hints/free-and-full-time-counter.ts'
import { hintStates } from '../../src/domain/availability/hints/queries.ts'
import { refreshHints } from '../../src/domain/availability/hints/refresh-availability-hints.ts'
import { type Plan, planOf } from '../../src/domain/availability/service-scheduling-plan.ts'
import { type Database, openDatabase } from '../../src/infra/db/database.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const { policies } = service('svc')
const every = (slot_interval: string) => ({
  policies: { ...policies, booking_window: { ...policies.booking_window, slot_interval } },
})
const chosen = (...options: string[]) => ({ type: 'staff' as const, options, selectable: true })
const inRoom = (...options: string[]) => ({ type: 'room' as const, options })
const cut = (id: string, more: Partial<ServiceDefinition> = {}) =>
  service(id, { resources: [chosen('staff_ann', 'staff_ben')], ...more })

const definition = businessWith(
  [
    cut('svc_cut'),
    cut('svc_same'),
    cut('svc_some', { resources: [chosen('staff_ben', 'staff_eve')] }),
    cut('svc_long', { duration: { fixed: 'PT90M' } }),
    cut('svc_own', { duration_rules: [{ resources: ['staff_ben'], fixed: 'PT120M' }] }),
    cut('svc_other_own', { duration_rules: [{ resources: ['staff_ann'], fixed: 'PT120M' }] }),
    cut('svc_often', every('PT15M')),
    cut('svc_buffer', { duration: { fixed: 'PT60M', buffer_after: 'PT30M' } }),
    cut('svc_there', { locations: ['loc_mill'] }),
    cut('svc_room', { resources: [chosen('staff_ann', 'staff_ben'), inRoom('room_red')] }),
    cut('svc_rooms', { resources: [chosen('staff_ann', 'staff_ben'), inRoom('room_red', 'room_blue')] }),
    cut('svc_chosen_room', {
      resources: [chosen('staff_ann', 'staff_ben'), { ...inRoom('room_red', 'room_blue'), selectable: true }],
    }),
    cut('svc_helped', { resources: [chosen('staff_ann'), { type: 'staff', options: ['staff_ann', 'staff_ben'] }] }),
    cut('svc_anybody', { resources: [{ type: 'staff', options: ['staff_ann', 'staff_ben'] }] }),
    cut('svc_table', { type: 'reservation', resources: [{ type: 'room', options: ['room_red', 'room_blue'] }] }),
  ],
  {
    hours: [{ days: ['monday', 'tuesday', 'wednesday'], opens: '09:00', closes: '18:00' }],
    locations: [
      { id: 'loc_main', name: 'Main Street' },
      { id: 'loc_mill', name: 'Mill Street', hours: [{ days: ['tuesday'], opens: '10:00', closes: '16:00' }] },
    ],
    resources: [
      { id: 'staff_ann', type: 'staff', name: 'Ann' },
      { id: 'staff_ben', type: 'staff', name: 'Ben', hours: [{ days: ['tuesday'], opens: '08:00', closes: '14:00' }] },
      { id: 'staff_eve', type: 'staff', name: 'Eve' },
      { id: 'room_red', type: 'room', name: 'Red' },
      { id: 'room_blue', type: 'room', name: 'Blue' },
    ],
  },
)

const { runtime, time } = await testServer(definition)
const { db } = runtime
await sql`
  insert into claims (resource_id, during, holder_kind, holder_id) values
    ('staff_ann', '[2026-11-24 15:00Z,2026-11-24 17:00Z)', 'block', 'one'),
    ('staff_ben', '[2026-11-24 16:00Z,2026-11-24 18:00Z)', 'block', 'two'),
    ('room_red', '[2026-11-24 18:00Z,2026-11-24 20:30Z)', 'block', 'three'),
    ('staff_eve', '[2026-11-23 00:00Z,2026-11-24 00:00Z)', 'block', 'four')`.execute(db)
const business = await runtime.business.get()
const ids = definition.services.map(({ id }) => id)

function planNamed(id: string): Plan {
  const plan = planOf(business, id)
  if (!plan) throw new Error(`There is no service ${id}`)
  return plan
}
const twoWeeks = hintDays('America/New_York', '2026-11-20', { summary: 7, all: 14 })
async function count(id: string, go = new HintRun(), at: Database = db) {
  const { days, starts } = await countTimes(at, planNamed(id), { days: twoWeeks, now: time.now }, go)
  return [...days, ...starts]
}

const nowhere = openDatabase('postgres://nobody@127.0.0.1:1/nothing', 1, () => {})
afterAll(() => nowhere.destroy())

test('[one count] with whom times were counted for one service they are not reckoned again for another', async () => {
  const go = new HintRun()
  const days = await count('svc_cut', go)
  expect(days.length).toBeGreaterThan(0)
  expect(await count('svc_same', go, nowhere)).toEqual(days)
  await expect(count('svc_some', go, nowhere)).rejects.toThrow()
})

test.each(ids)('[one count] what was counted for all others changes nothing for %s', async (id) => {
  const go = new HintRun()
  for (const other of ids) if (other !== id) await count(other, go)
  const alone = await count(id)
  expect(alone.length).toBeGreaterThan(0)
  expect(await count(id, go)).toEqual(alone)
})

test('[no work outlasts its server] no hint is begun once the server ends', async () => {
  const made = async () => (await hintStates(db)).filter(({ generated_at }) => generated_at).length
  await refreshHints(runtime, time.now, () => true)
  expect(await made()).toBe(0)
  let asked = 0
  await refreshHints(runtime, time.now, () => ++asked > 3)
  expect(await made()).toBe(3)
  await refreshHints(runtime, time.now)
  expect(await made()).toBe(ids.length)
})
