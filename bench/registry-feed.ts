/** Measures the time from the registration of a new business until the registry has indexed its catalogue. */
import { once } from 'node:events'
import { createServer } from 'node:https'
import { setTimeout as pass } from 'node:timers/promises'
import { loopbackCertificate } from '../src/core/egress/development/loopback-certificate.ts'
import { checkTarget } from './support/check-target.ts'
import { median } from './support/load.ts'
import { business, service, staff } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SERVICES = 1_000
const MOST_SECONDS = 5

const records = Array.from({ length: SERVICES }, (_, number) => ({
  state: 'updated',
  modified_at: new Date(1_780_000_000_000 + number).toISOString(),
  data: {
    business_id: 'biz_listed',
    ...service(`svc_${number}`, []),
    resources: [],
    name: `Massage number ${number}`,
    description: Array.from({ length: 40 }, (_, word) => `word${(number * 41 + word * 97) % 5_000}`).join(' '),
    channel: { type: 'at_business_location' },
    categories: [{ taxonomy: 'merchant', id: `cat_${number % 20}`, name: `Category ${number % 20}` }],
    locations: [{ address: `${number} High Street`, coordinates: { lat: 40 + number / 10_000, lng: -74 } }],
    availability_hint: { summary: 'Free on most days.', generated_at: new Date().toISOString() },
  },
}))
/** The feed of the business. It answers without delay, because the benchmark measures only the registry. */
const feed = createServer(loopbackCertificate(), ({ url = '' }, response) => {
  const { searchParams } = new URL(url, 'https://localhost')
  const from = Number(searchParams.get('cursor') ?? 0)
  const items = records.slice(from, from + Number(searchParams.get('limit')))
  const next = from + items.length
  const pagination = { next_cursor: String(next), has_more: next < SERVICES }
  response.end(JSON.stringify({ items, pagination, feed_meta: { feed_status: 'healthy' } }))
}).listen(0, '127.0.0.1')
await once(feed, 'listening')
const address = feed.address()
const endpoint = `https://127.0.0.1:${typeof address === 'object' && address?.port}`

const stage = await openStage()
try {
  const definition = { ...business([service('svc_own', staff(1))], 1), registry: { enabled: true } }
  const { db } = await stage.serve('registry_feed', definition)
  const seconds: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = performance.now()
    await db.query(
      `insert into registrations (id, principal, profile, profile_url, deployment_mode, name, verticals, categories,
          timezone, search_words, status, created_at, modified_at, checked_at, next_check_at, endpoint, next_index_at)
        values ($1, 'key:bench', '', $1, 'standalone', 'Listed', '{appointment}', '{massage}', 'America/New_York', '',
          'active', now(), now(), now(), 'infinity', $2, now())`,
      [`reg_${round}`, endpoint],
    )
    while (!(await isIndexed(`reg_${round}`))) await pass(20)
    // The first round is only a warm-up.
    if (round > 0) seconds.push((performance.now() - begun) / 1000)
  }
  checkTarget(`a feed of ${SERVICES} services is in the index after`, median(seconds), { under: MOST_SECONDS }, 's')

  async function isIndexed(id: string): Promise<boolean> {
    const { rows } = await db.query<{ indexed_at: Date | null; index_problem: string | null }>(
      'select indexed_at, index_problem from registrations where id = $1',
      [id],
    )
    if (rows[0]?.index_problem) throw new Error(rows[0].index_problem)
    return rows[0]?.indexed_at !== null
  }
} finally {
  await stage.close()
  feed.closeAllConnections()
  feed.close()
}
