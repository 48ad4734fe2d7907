import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordCatalogueEvents } from '../../src/domain/catalog/catalogue-events.ts'
import { fed } from '../registry/services.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testShop } from '../support/desk.ts'
import { longestTurn } from '../support/longest-turn.ts'
import { slowness } from '../support/slowness.ts'

/** Milliseconds of processor time; to read all that they follow takes twice that, and of 20,000 longer than the database may take. */
const AT_MOST = 20
const SUBSCRIPTIONS = 5_000
/** In any one of them the garbage of the tests before may be collected. */
const TIMES = 3

test('[no stored value stalls the server] thousands follow a hundred long categories each, and one service changes', async () => {
  const shop = await testShop(businessWith([service('svc_a')]))
  const { db } = shop.runtime
  const longest = `${'c'.repeat(190)} `
  await sql`
    insert into feed_subscriptions (id, principal, profile, callback_url, categories, events, status,
      position_modified_at, position_id, created_at, crowd)
    select 'sub_' || lpad(nth::text, 5, '0'), 'key:any', '', 'https://' || nth || '.example/' || repeat('a', 1900),
      case when nth % 100 = 0 then null else (select array_agg(${longest} || category) from generate_series(1, 100) category) end,
      null, 'active', now(), '', now(), 'strangers any'
    from generate_series(1, ${SUBSCRIPTIONS}) nth`.execute(db)
  const change = {
    before: undefined,
    after: fed('svc_a', { categories: [{ taxonomy: 'merchant', id: 'none', name: 'None' }] }),
  }
  const took: number[] = []
  for (let time = 0; time < TIMES; time++) {
    const turn = longestTurn()
    await db.transaction().execute((tx) => recordCatalogueEvents(tx, [change], 'America/New_York', shop.time.now))
    took.push(turn())
  }
  const told = await db.selectFrom('deliveries').select('receiver').orderBy('receiver').execute()
  expect(told).toHaveLength((TIMES * SUBSCRIPTIONS) / 100)
  expect(Math.min(...took)).toBeLessThan(AT_MOST * slowness())
})
