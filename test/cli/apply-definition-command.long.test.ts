import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/cli/recurring-job-list.ts'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { businessDefinition } from '../../src/core/business/definition-queries.ts'
import { referenceOf } from '../../src/domain/bookings/booking-response.ts'
import type { ServiceDefinition } from '../../src/protocol/types.generated.ts'
import { commandLine } from '../definition/command.ts'
import { freshDatabase } from '../support/database.ts'
import { businessWith, service } from '../support/definitions.ts'
import { restDesk, testShop } from '../support/desk.ts'
import { usp as process } from '../support/process.ts'
import { testServer } from '../support/server.ts'

const databaseUrl = await freshDatabase()
const server = await testServer(undefined, { databaseUrl })
const { usp, file, fileOf } = commandLine(databaseUrl)
const elsewhere = commandLine(await freshDatabase({ migrated: false }))

const feed = async () => (await server.rest('GET', '/services/feed')).body.items
const list = async () => (await server.rest('POST', '/services/list', {})).body.services
/** The definition as it is stored: what the profile shows of it may be a second old. */
const inForce = async () => [await feed(), await list(), await businessDefinition(server.runtime.db)]

const cut = service('svc_cut')
const wash = service('svc_wash')
const dear: ServiceDefinition = { ...cut, pricing: { ...cut.pricing, amount: 7900 } }

test('apply lists what it adds, changes and removes, and the server then serves it', async () => {
  const first = await usp('apply', fileOf('first.json', cut, wash))
  expect(first).toEqual({
    code: 0,
    err: '',
    out: '+ business\n+ service svc_cut\n+ service svc_wash\n\nApplied to Test Studio: 3 added, 0 changed, 0 removed.\n',
  })
  const second = await usp('apply', fileOf('second.json', dear, service('svc_new')))
  expect(second).toEqual({
    code: 0,
    err: '',
    out: [
      '+ service svc_new',
      '~ service svc_cut',
      '    pricing.amount: 7500 → 7900',
      '- service svc_wash',
      '',
      'Applied to Test Studio: 1 added, 1 changed, 1 removed.\n',
    ].join('\n'),
  })
  expect(await list()).toMatchObject([{ id: 'svc_cut', pricing: { amount: 7900 } }, { id: 'svc_new' }])
  expect(await feed()).toContainEqual(
    expect.objectContaining({ state: 'deleted', data: { id: 'svc_wash', business_id: 'biz_test' } }),
  )
})

test('who lets Stripe take payments is warned where its key is not set', async () => {
  const stripe = { ...businessWith([cut]), payments: { provider: 'stripe' } }
  const { code, err } = await usp('apply', file('stripe.json', JSON.stringify(stripe)), '--dry-run')
  expect([code, err]).toEqual([
    0,
    'Warning: payments.provider is stripe: servers without STRIPE_SECRET_KEY, as it is here, take no cards.\n',
  ])
})

test('[FEED-022] the same file again changes nothing and says so', async () => {
  const path = fileOf('same.json', cut, wash)
  await usp('apply', path)
  const before = await inForce()
  expect(await usp('apply', path)).toEqual({
    code: 0,
    err: '',
    out: 'Test Studio already matches the file: nothing to change.\n',
  })
  expect(await inForce()).toEqual(before)
})

test('apply --dry-run tells what it would change and changes nothing', async () => {
  await usp('apply', fileOf('wet.json', cut, wash))
  const before = await inForce()
  const { code, out, err } = await usp('apply', '--dry-run', fileOf('dry.json', dear))
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toContain('~ service svc_cut\n    pricing.amount: 7500 → 7900\n- service svc_wash\n')
  expect(out).toMatch(/Would apply to Test Studio: 0 added, 1 changed, 1 removed\.\n$/)
  expect(await inForce()).toEqual(before)
})

const broken: [string, ServiceDefinition, string][] = [
  ['breaks the schema', { ...wash, tags: [''] }, 'services[svc_wash].tags[0]'],
  [
    'breaks a rule of payment',
    { ...wash, pricing: { model: 'fixed', currency: 'USD', amount: 0 } },
    'services[svc_wash].pricing.amount',
  ],
  [
    'names what is not there',
    { ...wash, resources: [{ type: 'staff', options: ['res_ghost'] }] },
    'services[svc_wash].resources[0].options',
  ],
]
test.each(broken)('[DEF-001] one service that %s, and nothing is applied', async (_, wrong, place) => {
  expect((await usp('apply', fileOf('good.json', cut, wash))).code).toBe(0)
  const before = await inForce()
  const { code, out, err } = await usp('apply', fileOf('bad.json', dear, wrong, service('svc_new')))
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain('bad.json was not applied:\n')
  expect(err).toContain(` ${place} `)
  expect(err).not.toMatch(/^\s+at /m)
  expect(await inForce()).toEqual(before)
})

test('[DEF-040] [DEF-057] what is allowed but hardly meant is warned of, and applied', async () => {
  const odd = service('svc_odd', {
    pricing: { ...cut.pricing, price_range: { min: 7500, max: 7500 } },
    policies: { ...cut.policies, no_show: { fee: 100, fee_percentage: 5 } },
  })
  const { code, err } = await usp('apply', fileOf('odd.json', odd))
  expect(code).toBe(0)
  expect(err).toMatch(/^Warning: \S+odd\.json:\d+: services\[svc_odd\]\.pricing\.price_range .+\n/)
  expect(err).toMatch(/^Warning: \S+odd\.json:\d+: services\[svc_odd\]\.policies\.no_show .+\n$/m)
  expect(await list()).toMatchObject([{ id: 'svc_odd' }])
})

test('[a client that collects payments and is not known is warned of] at apply, also in a dry run and before there is a schema', async () => {
  const { id } = await addClient(server.runtime.db, 'Known', server.time.now)
  const clients = [{ id: 'cli_named', name: 'Named' }]
  const collected_by = [
    `client:${id}`,
    'client:cli_named',
    'client:cli_typo',
    'client:shop@issuer',
    'https://a.example/p',
  ]
  const collects = businessWith([cut], { clients, payments: { provider: 'stripe', collected_by } })
  const path = file('collects.json', JSON.stringify(collects))
  const warning = /^Warning: payments\.collected_by names client:cli_typo, but there is no such client\. .+$/m
  for (const args of [
    ['apply', '--dry-run', path],
    ['apply', path],
  ])
    expect(await usp(...args)).toMatchObject({ code: 0, err: expect.stringMatching(warning) })
  expect((await elsewhere.usp('apply', '--dry-run', path)).err).toContain(`names client:${id}`)
})

test('two commands at once on a new database take turns: one applies, the other finds nothing to change', async () => {
  const path = fileOf('race.json', cut, wash)
  const made = await Promise.all([elsewhere.usp('migrate'), elsewhere.usp('migrate')])
  expect(made.map(({ code }) => code)).toEqual([0, 0])
  const [one, other] = await Promise.all([elsewhere.usp('apply', path), elsewhere.usp('apply', path)])
  expect([one.code, other.code, one.err, other.err]).toEqual([0, 0, '', ''])
  expect([one.out, other.out].sort()).toEqual([
    expect.stringMatching(/Applied to Test Studio: 3 added/),
    expect.stringMatching(/nothing to change/),
  ])
})

test('two commands at once take turns: both end, and what each changed is told of at its own time', async () => {
  await usp('apply', fileOf('before.json', cut, wash))
  const washed: ServiceDefinition = { ...wash, name: 'A better wash' }
  const ends = await Promise.all([
    usp('apply', fileOf('one.json', dear, wash)),
    usp('apply', fileOf('two.json', dear, washed)),
  ])
  expect(ends.map(({ code }) => code)).toEqual([0, 0])
  expect(ends.filter(({ out }) => out.includes('~ service svc_cut'))).toHaveLength(1)
  const [first, second] = (await feed()).slice(-2)
  expect([first.data.id, second.data.id]).toEqual(['svc_cut', 'svc_wash'])
  expect(Date.parse(second.modified_at)).toBeGreaterThan(Date.parse(first.modified_at))
})

test('[stranded] bookings that cannot be as agreed any more are told of by reference, in a dry run and after', async () => {
  const databaseUrl = await freshDatabase()
  const shop = await testShop(businessWith([cut]), { databaseUrl })
  // The command goes by the real clock.
  shop.time.now = new Date()
  const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
  const [slot] = await restDesk(shop).slots('svc_cut', { start_date: day, end_date: day })
  const reference = referenceOf((await restDesk(shop).book(slot)).data.booking)
  const { usp, fileOf } = commandLine(databaseUrl)
  const path = fileOf('without.json', wash)
  const told = `! ${reference} ${slot.start} svc_cut service:svc_cut: the service no longer exists`
  expect((await usp('apply', path, '--dry-run')).out).toContain(`${told}\n\nWould affect 1 booking: `)
  expect((await usp('apply', path)).out).toContain(`${told}\n\nAffected 1 booking: `)
})

describe('class times', async () => {
  const databaseUrl = await freshDatabase()
  const classesAt = (...hours: string[]) =>
    service('svc_class', {
      type: 'group',
      capacity: { max: 5 },
      sessions: hours.map((starts) => ({ days: ['monday', 'wednesday', 'friday', 'sunday'], starts })),
    })
  const shop = await testShop(businessWith([classesAt('10:00')]), { databaseUrl })
  // The command goes by the real clock.
  shop.time.now = new Date()
  const { db } = shop.runtime
  const { usp, fileOf } = commandLine(databaseUrl)
  const early = fileOf('early.json', classesAt('08:00'))
  const late = fileOf('late.json', classesAt('20:00'))
  await usp('apply', fileOf('noon.json', classesAt('12:00')))
  const other = new pg.Client(databaseUrl)
  await other.connect()
  afterAll(() => other.end())
  /** The hours of New York at which classes are held. */
  const hours = async () => {
    const { rows } = await sql<{ hour: string }>`
      select distinct to_char(starts_at at time zone 'America/New_York', 'HH24:MI') as hour
      from sessions where wanted and starts_at > ${shop.time.now} order by 1`.execute(db)
    return rows.map(({ hour }) => hour)
  }
  const lockLast = () =>
    other.query(
      'begin; select from sessions where id = (select id from sessions order by starts_at desc limit 1) for update',
    )
  const STACK = /^\s+at /m

  test('[a killed apply is completed] by a server, as soon as its background looks', async () => {
    await lockLast()
    const killed = process(['apply', early], { DATABASE_URL: databaseUrl })
    await expect.poll(hours).toEqual(['08:00', '12:00'])
    killed.process.kill('SIGKILL')
    await killed.ended
    await other.query('rollback')
    expect(await hours()).toEqual(['08:00', '12:00'])
    await runHousekeeping(shop.runtime)
    expect(await hours()).toEqual(['08:00'])
  })

  test('[a killed apply is completed] by the same apply, which has nothing else to change', async () => {
    await lockLast()
    const killed = process(['apply', late], { DATABASE_URL: databaseUrl })
    await expect.poll(hours).toEqual(['08:00', '20:00'])
    killed.process.kill('SIGKILL')
    await killed.ended
    await other.query('rollback')
    const { code, out, err } = await usp('apply', late)
    expect([code, out, err]).toEqual([0, 'Test Studio already matches the file: nothing to change.\n', ''])
    expect(await hours()).toEqual(['20:00'])
  })

  test('[an apply says how far it is] and what is left where a class stays locked, which a server completes', async () => {
    await lockLast()
    const { code, err } = await usp('apply', early)
    expect(code).toBe(0)
    expect(err).toMatch(/^Class times: \d+ of \d+ changes are done\.$/m)
    expect(err).toMatch(
      /^Warning: The definition is in force, but not all class times are up to date: 1 change is left\. /m,
    )
    expect(await hours()).toEqual(['08:00', '20:00'])
    await other.query('rollback')
    shop.time.now = new Date()
    await runHousekeeping(shop.runtime)
    expect(await hours()).toEqual(['08:00'])
  })

  test.each([
    ['a class time', 'sessions', 0, /^Warning: The definition is in force, .+: SQLSTATE 23503, some_key\. .+\n$/],
    [
      'the definition',
      'business',
      1,
      /^PostgreSQL refused a statement of this program \(SQLSTATE 23503, some_key\)\. .+\n$/,
    ],
  ])('[no raw database error] what PostgreSQL refuses of %s is told in words', async (_, table, ending, words) => {
    await other.query(`
      create function refuse_it() returns trigger language plpgsql as $$
      begin raise exception 'secret value' using errcode = '23503', constraint = 'some_key'; end $$;
      create trigger refuse_it before insert or update or delete on ${table} for each row
      when (pg_trigger_depth() = 0) execute function refuse_it()`)
    const { code, err } = await usp('apply', late)
    await other.query('drop function refuse_it cascade')
    expect(err).toMatch(words)
    expect([code, STACK.test(err), err.includes('secret')]).toEqual([ending, false, false])
    await usp('apply', early)
    expect(await hours()).toEqual(['08:00'])
  })
})
