/**
 * Measures how long the staff wait for the answer when they cancel a class with a waitlist of 5,000. A platform made
 * the waitlist entries. The server is new, so PostgreSQL has no statistics about events yet. This once caused a slow
 * query plan.
 */
import { secretDigest } from '../src/core/keys/encrypt-secrets.ts'
import { checkTarget } from './support/check-target.ts'
import { gym } from './support/gym.ts'
import { openPlatform } from './support/platform.ts'
import { callWithEachKey, slotsOf } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const WAITING = Number(process.env.BENCH_WAITING ?? 5_000)
const PLACES = Number(process.env.BENCH_PLACES ?? 20)
const TOKEN = 'stf_bench'

const definition = gym({ services: 1, days: 10, starts: [0], capacity: PLACES })
for (const one of definition.services)
  Object.assign(one, { capacity: { max: PLACES, waitlist: true }, waitlist: { limit: 5_000 } })

const stage = await openStage()
const platform = await openPlatform(1)
try {
  const served = await stage.serve('crowd', definition)
  const { db, origin } = served
  await db.query(
    `insert into staff (id, name, role, token_hash, created_at) values ('stf_b', 'Bench', 'owner', $1, now())`,
    [secretDigest(TOKEN)],
  )
  await callWithEachKey(served, platform)
  const [slot] = await slotsOf(served, definition.services, 1)
  if (!slot) throw new Error('There is no class')
  const { service_id, id: slot_id } = slot
  let nth = 0
  const [key] = platform.keys
  const ask = async (path: string, input: object) => {
    if (!key) throw new Error('There is no key')
    const { headers, body = '' } = await platform.sign(key, origin, path, input)
    const answer = await fetch(origin + path, { method: 'POST', headers, body })
    const answerText = await answer.text()
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answerText}`)
  }
  const buyer = () => ({ first_name: 'Ann', last_name: 'Other', email: `ann${nth++}@bench.example` })
  for (let place = 0; place < PLACES; place++) await ask('/usp/v1/bookings', { service_id, slot_id, buyer: buyer() })
  await ask('/usp/v1/waitlist', { service_id, slot_id, buyer: buyer() })
  await db.query(
    `insert into waitlist_entries
      (id, principal, profile, service_id, slot_id, buyer, revision, status, created_at, updated_at, ends_at, told_apart)
    select id || nth, principal, profile, service_id, slot_id, buyer, revision, status, created_at, updated_at, ends_at,
      told_apart
    from waitlist_entries, generate_series(2, $1::integer) nth`,
    [WAITING],
  )
  await db.query('delete from events')
  await db.query('vacuum analyze')
  const { rows } = await db.query('select session_id from bookings limit 1')
  const cancel = `${origin}/usp/v1/business/sessions/${rows[0].session_id}/cancel`
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
  const begun = performance.now()
  const answer = await fetch(cancel, { method: 'POST', headers, body: '{}' })
  const taken = (performance.now() - begun) / 1000
  if (answer.status !== 200) throw new Error(`canceling answered ${answer.status}: ${await answer.text()}`)
  checkTarget(`canceling a class that ${WAITING} wait for`, taken, { atMost: 4 }, 's')
} finally {
  platform.close()
  await stage.close()
}
