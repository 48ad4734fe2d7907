import { expect, test } from 'vitest'
import { calendarAppReplace } from '../../src/core/business/calendar-app-queries.ts'
import { seal } from '../../src/core/keys/encrypt-secrets.ts'
import { connectSource } from '../../src/domain/busy-times/connect-source.ts'
import { readDueCalendars } from '../../src/domain/busy-times/source-worker.ts'
import { freshDatabase } from '../support/database.ts'
import { usp } from '../support/process.ts'
import { SECRET, testServer } from '../support/server.ts'
import { calendarOf } from './calendar-text.ts'
import { hour, salon } from './connected-shop.ts'
import { APP, googleStandIn } from './google.ts'
import { ANN, at } from './google-shop.ts'
import { calendarProvider } from './provider.ts'

const databaseUrl = await freshDatabase()
const google = await googleStandIn()
const server = await testServer(salon, { databaseUrl, env: { GOOGLE_API_BASE: google.origin } })
const provider = await calendarProvider()
const env = { DATABASE_URL: databaseUrl, USP_SECRET_KEY: SECRET }

const calendars = (...args: string[]) => calendarsWith('', ...args)

async function calendarsWith(input: string, ...args: string[]) {
  const running = usp(['calendars', ...args], env)
  running.process.stdin?.end(input)
  return { code: await running.ended, output: running.output() }
}

test('[calendars elsewhere] are connected, listed, read and disconnected on the command line', async () => {
  server.time.now = new Date()
  const reading = setInterval(() => {
    server.time.now = new Date()
    void readDueCalendars(server.runtime)
  }, 1_000)
  try {
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    const { address } = provider.publish(calendarOf(...hour('one', day, 11)))
    const { output } = await calendars('connect', '--resource', 'staff_ann', '--ics', address, '--name', 'Private')
    const [, id = ''] = /^Ann has the calendar (ccal_\S+) at 127\.0\.0\.1:\d+\. It has 1 busy times/.exec(output) ?? []
    expect([output, id]).toEqual([output, expect.stringMatching(/^ccal_/)])
    const { output: list } = await calendars('list')
    expect(list).toMatch(new RegExp(`^${id} +staff_ann +Private +127`, 'm'))
    expect(list).not.toContain('secret')
    expect((await calendars('refresh', id)).output).toContain('It has 1 busy times in the next 30 days.')
    expect((await calendars('disconnect', id)).output).toContain(`${id} is disconnected.`)
    expect((await calendars('list')).output.trim()).toBe('None.')
  } finally {
    clearInterval(reading)
  }
})

test('[calendars elsewhere] an account at a CalDAV server is connected with the password from the standard input', async () => {
  server.time.now = new Date()
  const reading = setInterval(() => {
    server.time.now = new Date()
    void readDueCalendars(server.runtime)
  }, 1_000)
  const passwords: string[] = []
  const published = provider.publish('', {
    async answer(response) {
      const { method, headers } = response.req
      passwords.push(Buffer.from(headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString())
      const properties =
        method === 'PROPFIND'
          ? '<d:displayname>Work</d:displayname><d:resourcetype><c:calendar/></d:resourcetype>'
          : `<c:calendar-data>${calendarOf(...hour('one', new Date(Date.now() + 86_400_000).toISOString().slice(0, 10), 11))}</c:calendar-data>`
      const href = method === 'PROPFIND' ? new URL(published.address).pathname : '/one.ics'
      response.writeHead(207).end(`<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response>
<d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>
</d:response></d:multistatus>`)
    },
  })
  try {
    const account = ['--caldav', published.address, '--user', 'ann', '--calendars', 'work']
    const { output } = await calendarsWith('secret: word\n', 'connect', '--resource', 'staff_ben', ...account)
    expect(output).toMatch(/^Ben has the calendar ccal_\S+ at 127\.0\.0\.1:\d+\. It has 1 busy times/)
    expect(output).not.toContain('secret: word')
    expect(new Set(passwords)).toEqual(new Set(['ann:secret: word']))
    const [, id] = /calendar (ccal_\S+)/.exec(output) ?? []
    const again = ['connect', '--resource', 'staff_ben', ...account, '--write-to', 'Mine', '--write-names']
    expect((await calendarsWith('secret: word\n', ...again)).output).toContain(`Ben has the calendar ${id} at`)
    expect((await calendars('list')).output).toMatch(new RegExp(`^${id} .+ Mine `, 'm'))
    const writer = await server.runtime.db.selectFrom('calendar_writers').selectAll().executeTakeFirst()
    expect(writer).toMatchObject({ id, resource_id: 'staff_ben', calendar: 'Mine', names: true })
  } finally {
    clearInterval(reading)
  }
})

test.each([
  [
    'an unknown person',
    ['connect', '--resource', 'none', '--ics', 'https://127.0.0.1/a.ics'],
    /^There is no resource none\./,
  ],
  ['an address that is none', ['connect', '--resource', 'staff_ann', '--ics', 'x'], /^The address is not a URL\./],
  ['no address', ['connect', '--resource', 'staff_ann'], /^Usage: /],
  [
    'a CalDAV account without a user',
    ['connect', '--resource', 'staff_ann', '--caldav', 'https://127.0.0.1/dav/'],
    /^Usage: /,
  ],
  [
    'names of customers without a calendar for bookings',
    [...['connect', '--resource', 'staff_ann', '--caldav', 'https://127.0.0.1/dav/', '--user', 'ann'], '--write-names'],
    /^Usage: /,
  ],
  [
    'two addresses',
    [
      'connect',
      '--resource',
      'staff_ann',
      '--ics',
      'https://127.0.0.1/a',
      '--caldav',
      'https://127.0.0.1/b',
      '--user',
      'a',
    ],
    /^Usage: /,
  ],
  [
    'a CalDAV account without a password',
    ['connect', '--resource', 'staff_ann', '--caldav', 'https://127.0.0.1/dav/', '--user', 'ann'],
    /^Write the password of the account to the standard input\./,
  ],
  ['an unknown calendar', ['refresh', 'ccal_none'], /^There is no connected calendar ccal_none\. See: /],
  ['no calendar', ['disconnect'], /^Usage: /],
  ['too much', ['disconnect', 'a', 'b'], /^Usage: /],
])('[calendars elsewhere] with %s it says what to do', async (_, args, told) => {
  const { code, output } = await calendars(...args)
  expect([code, output]).toEqual([1, expect.stringMatching(told)])
})

test('[calendars at Google] are listed, read and disconnected on the command line', async () => {
  server.time.now = new Date()
  const { db, config, calendarKey: key, makeChange } = server.runtime
  await makeChange((tx) =>
    calendarAppReplace(tx, { ...APP, provider: 'google', client_secret: seal(key, APP.client_secret) }),
  )
  google.reset(ANN)
  google.put(ANN, 'one', at(new Date(Date.now() + 86_400_000).toISOString().slice(0, 10), 11))
  const account = { provider: 'google' as const, refreshToken: google.refreshToken(ANN), account: ANN }
  const connection = { resource: 'staff_ann', access: { account }, name: undefined, actor: 'operator' }
  const { id } = await makeChange((tx) => connectSource(tx, connection, { config, key }, server.time.now))
  const reading = setInterval(() => {
    server.time.now = new Date()
    void readDueCalendars(server.runtime)
  }, 1_000)
  try {
    expect((await calendars('refresh', id)).output).toContain('It has 1 busy times in the next 30 days.')
    const { output } = await calendars('list')
    expect(output).toMatch(new RegExp(`^${id} +staff_ann +ann@gmail\\.com +calendar\\.google\\.com`, 'm'))
    expect(output).not.toContain(account.refreshToken)
    google.revoke(ANN)
    expect((await calendars('refresh', id)).output).toContain('It cannot be read: access_revoked.')
    expect((await calendars('disconnect', id)).output).toContain(`${id} is disconnected.`)
    expect(await db.selectFrom('busy_times').select('event').where('source_id', '=', id).execute()).toEqual([])
  } finally {
    clearInterval(reading)
  }
})
