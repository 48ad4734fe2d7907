import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { freshDatabase } from '../support/database.ts'
import { usp } from '../support/process.ts'
import { testServer } from '../support/server.ts'

const databaseUrl = await freshDatabase()
const server = await testServer(parse(readFileSync('examples/glamour-salon.yaml', 'utf8')), { databaseUrl })

async function calendars(...args: string[]) {
  const running = usp(['calendars', ...args], { DATABASE_URL: databaseUrl })
  return { code: await running.ended, output: running.output() }
}

test('a calendar is added, listed and revoked on the command line', async () => {
  const { output } = await calendars('add', '--resource', 'staff_jane')
  const [, id = ''] = /^Jane Smith has the calendar (cal_\S+)\./.exec(output) ?? []
  const [url = ''] = /http:\S+\/calendar\/ics_[\w-]{43}\.ics$/m.exec(output) ?? []
  const follow = () => server.raw({ method: 'GET', url: new URL(url).pathname })
  expect((await follow()).body).toContain('NAME:Jane Smith')
  expect((await calendars('list')).output).toMatch(new RegExp(`^${id}  staff_jane  operator`, 'm'))
  expect((await calendars('revoke', id)).code).toBe(0)
  expect((await follow()).status).toBe(404)
  expect((await calendars('list')).output.trim()).toBe('None.')
})

test.each([
  [
    'a resource that does not exist',
    ['add', '--resource', 'staff_none'],
    /^There is no resource staff_none\. There are: /,
  ],
  ['an unknown calendar', ['revoke', 'cal_none'], /^There is no calendar cal_none\. See: /],
  ['no calendar', ['revoke'], /^Usage: /],
  ['too much', ['list', 'cal_none'], /^Usage: /],
  ['another option', ['add', '--name', 'x'], /^Usage: /],
])('with %s it says what to do', async (_, args, told) => {
  const { code, output } = await calendars(...args)
  expect([code, output]).toEqual([1, expect.stringMatching(told)])
})
