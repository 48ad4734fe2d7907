import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { insertRegistration } from './index-shop.ts'
import { eventually, secureServer } from './over-https.ts'
import { fed } from './services.ts'
import { standInBusiness } from './stand-in-business.ts'

const PAGES = 30
const registry = await secureServer({ ...businessWith([service('svc_own')]), registry: { enabled: true } })
const business = await standInBusiness()

test('a server that dies while it reads a catalogue loses nothing: another goes on where it was', async () => {
  const ids = Array.from({ length: PAGES }, (_, index) => `svc_${String(index).padStart(2, '0')}`)
  business.feed.pageSize = 1
  business.put(...ids.map((id) => fed(id)))
  const reached = new Promise<void>((resolve) => {
    business.before = async () => {
      if (business.cursors().length === PAGES / 2) resolve()
    }
  })
  const id = await insertRegistration(registry.db, business, new Date())
  await reached
  await registry.kill()
  const asked = business.cursors().length
  const { feed_cursor } = await registry.db.selectFrom('registrations').select('feed_cursor').executeTakeFirstOrThrow()
  const count = async () =>
    (await registry.db.selectFrom('indexed_services').select('service_id').where('registration_id', '=', id).execute())
      .length
  expect(Number(feed_cursor)).toBe(await count())
  expect(Number(feed_cursor)).toBeGreaterThanOrEqual(asked - 1)
  // Half a minute later.
  await sql`update registrations set leased_until = now()`.execute(registry.db)
  await registry.start()
  await eventually(count, (found) => found === PAGES)
  expect(business.cursors()[asked]).toBe(feed_cursor)
  expect(business.cursors().length).toBeLessThanOrEqual(PAGES + 1)
})
