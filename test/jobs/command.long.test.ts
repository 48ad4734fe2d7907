import { expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { usp } from '../support/process.ts'
import { testServer } from '../support/server.ts'

const databaseUrl = await freshDatabase()
const server = await testServer(businessWith([service('svc_cut')]), { databaseUrl })
const { db } = server.runtime

async function jobs(...args: string[]) {
  const running = usp(['jobs', ...args], { DATABASE_URL: databaseUrl })
  return { code: await running.ended, output: running.output() }
}
const nextOf = async (job: string) =>
  (await db.selectFrom('housekeeping').select('next_at').where('job', '=', job).executeTakeFirstOrThrow()).next_at

test('who runs a server sees what it does by itself, and has it done at once', async () => {
  expect((await jobs('list')).output).toBe('None.\n')
  await runHousekeeping({ ...server.runtime, clock: () => new Date() })
  const usual = await nextOf('forget events')
  expect((await jobs('list')).output).toMatch(new RegExp(`^forget events .* ${usual.toISOString()} +0$`, 'm'))
  const { code, output } = await jobs('run', 'forget', 'events')
  expect([code, output]).toEqual([0, expect.stringContaining('within 15 seconds')])
  expect(Number(await nextOf('forget events'))).toBeLessThan(Number(usual))
})

test.each([
  ['an unknown job', ['run', 'dishes'], /^There is no job dishes\. See: /],
  ['no job', ['run'], /^Usage: /],
  ['too much', ['list', 'dishes'], /^Usage: /],
  ['nothing', [], /^Usage: /],
])('with %s it says what to do', async (_, args, told) => {
  const { code, output } = await jobs(...args)
  expect([code, output]).toEqual([1, expect.stringMatching(told)])
})
