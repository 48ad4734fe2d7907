import { expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { usp } from '../support/process.ts'
import { testServer } from '../support/server.ts'
import { list } from './directory.ts'
import { withRegistry } from './listing-shop.ts'
import { fed } from './services.ts'

const databaseUrl = await freshDatabase()
const server = await testServer(withRegistry, { databaseUrl })
const { db } = server.runtime

async function listings(...args: string[]) {
  const running = usp(['listings', ...args], { DATABASE_URL: databaseUrl })
  return { code: await running.ended, output: running.output() }
}

test('who keeps a registry finds a listing by what is known of it, and removes it with all that was read', async () => {
  await list(db, 'reg_true', { name: 'Sunrise' }, [fed('yoga')])
  await list(db, 'reg_false', { name: 'Sun\u001b[2Jset' }, [fed('casino')])
  const all = (await listings('list')).output
  for (const id of ['reg_true', 'reg_false']) expect(all).toContain(id)
  expect(all).not.toContain('\u001b')
  const found = (await listings('list', 'FALSE.example')).output
  expect(found).toMatch(/^reg_false .*https:\/\/reg-false\.example/m)
  expect(found).not.toContain('reg_true')
  expect((await listings('remove', 'reg_false')).code).toBe(0)
  const { body } = await server.rest('POST', '/registry/search_services', { verticals: ['appointment'] })
  expect(body.services.map(({ service_id }: { service_id: string }) => service_id)).toEqual(['yoga'])
})

test.each([
  ['an unknown listing', ['remove', 'reg_none'], /^There is no listing reg_none\. See: /],
  ['no listing', ['remove'], /^Usage: /],
  ['nothing', [], /^Usage: /],
  ['too much', ['list', 'a', 'b'], /^Usage: /],
])('with %s it says what to do', async (_, args, told) => {
  const { code, output } = await listings(...args)
  expect([code, output]).toEqual([1, expect.stringMatching(told)])
})
