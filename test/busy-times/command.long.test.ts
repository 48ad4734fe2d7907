import { setTimeout as pass } from 'node:timers/promises'
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
import { APP as MICROSOFT_APP, microsoftStandIn } from './microsoft.ts'
import { calendarProvider } from './provider.ts'

const databaseUrl = await freshDatabase()
const google = await googleStandIn()
const microsoft = await microsoftStandIn()
const standIns = { GOOGLE_API_BASE: google.origin, MICROSOFT_API_BASE: microsoft.origin }
const server = await testServer(salon, { databaseUrl, env: standIns })
const provider = await calendarProvider()
const env = { DATABASE_URL: databaseUrl, USP_SECRET_KEY: SECRET, BASE_URL: server.runtime.config.baseUrl, ...standIns }

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

/** Stores the apps of the business, as an owner does at the desk. */
async function setApps() {
  const { calendarKey: key, makeChange } = server.runtime
  const apps = [
    { ...APP, provider: 'google' as const },
    { ...MICROSOFT_APP, provider: 'microsoft' as const },
  ]
  for (const app of apps)
    await makeChange((tx) => calendarAppReplace(tx, { ...app, client_secret: seal(key, app.client_secret) }))
}

/** Runs the command. As soon as it prints the address, the person answers there. */
async function consented(args: string[], answer: (address: string) => string) {
  const running = usp(['calendars', 'connect', ...args], env)
  const address = await until(() => /^ {2}(https:\S+)$/m.exec(running.output())?.[1])
  const { statusCode } = await server.inject({ url: answer(address) })
  return { code: await running.ended, output: running.output(), statusCode, address }
}

async function until(found: () => string | undefined): Promise<string> {
  for (const end = Date.now() + 20_000; Date.now() < end; await pass(100)) {
    const text = found()
    if (text !== undefined) return text
  }
  throw new Error('The command printed no address.')
}

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)

test.each([
  [
    'google' as const,
    () => {
      google.reset(ANN)
      google.put(ANN, 'one', at(TOMORROW, 11))
      google.put(google.makeCalendar(ANN, 'Family'), 'two', at(TOMORROW, 13))
    },
    (address: string) => google.comeBack(address, ANN),
  ],
  [
    'microsoft' as const,
    () => {
      microsoft.reset(ANN)
      microsoft.put(microsoft.main(ANN), 'one', { start: `${TOMORROW}T16:00:00`, end: `${TOMORROW}T17:00:00` })
      const family = microsoft.makeCalendar(ANN, 'Family')
      microsoft.put(family, 'two', { start: `${TOMORROW}T18:00:00`, end: `${TOMORROW}T19:00:00` })
    },
    (address: string) => microsoft.comeBack(address, ANN),
  ],
])(
  '[consent for a terminal] connects an account at %s, which is listed, read and disconnected',
  async (name, fill, answer) => {
    server.time.now = new Date()
    await setApps()
    fill()
    const reading = setInterval(() => {
      server.time.now = new Date()
      void readDueCalendars(server.runtime)
    }, 1_000)
    try {
      const { output, statusCode } = await consented(['--resource', 'staff_ann', `--${name}`], answer)
      expect([statusCode, output]).toEqual([200, expect.stringContaining(`of ${ANN} at `)])
      const [, id = ''] = /Ann has the calendar (ccal_\S+) of .+ It has 2 busy times/.exec(output) ?? []
      expect([output, id]).toEqual([output, expect.stringMatching(/^ccal_/)])
      const chosen = await consented(
        ['--resource', 'staff_ann', `--${name}`, '--calendars', 'family', '--name', 'F'],
        answer,
      )
      expect(chosen.output).toMatch(new RegExp(`Ann has the calendar ${id} of .+ It has 1 busy times`))
      expect((await calendars('list')).output).toMatch(new RegExp(`^${id} +staff_ann +F `, 'm'))
      expect((await calendars('refresh', id)).output).toContain('It has 1 busy times in the next 30 days.')
      expect((await calendars('disconnect', id)).output).toContain(`${id} is disconnected.`)
      expect(await server.runtime.db.selectFrom('oauth_state').select('id').execute()).toEqual([])
    } finally {
      clearInterval(reading)
    }
  },
)

test('[consent for a terminal] a refusal, a calendar that the account lacks, and a missing app are explained', async () => {
  server.time.now = new Date()
  await setApps()
  google.reset(ANN)
  const args = ['--resource', 'staff_ben', '--google']
  const refused = await consented(args, (address) => google.comeBack(address, ANN, { error: 'access_denied' }))
  expect([refused.code, refused.output]).toEqual([1, expect.stringContaining('Google did not grant access')])
  const lacking = await consented([...args, '--calendars', 'Work'], (address) => google.comeBack(address, ANN))
  expect([lacking.code, lacking.output]).toEqual([
    1,
    expect.stringContaining(`The account has no calendar Work. It has: ${ANN}. Nothing was connected.`),
  ])
  await server.runtime.db.deleteFrom('calendar_apps').execute()
  expect((await calendars('connect', ...args)).output).toContain('The business has no app at Google')
  for (const more of [['--microsoft'], ['--ics', 'https://127.0.0.1/a'], ['--user', 'ann']])
    expect((await calendars('connect', ...args, ...more)).output).toMatch(/^Usage: /)
  expect(await server.runtime.db.selectFrom('calendar_sources').select('id').execute()).toEqual([])
})
