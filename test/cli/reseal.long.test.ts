import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addClient } from '../../src/core/authentication/api-keys.ts'
import { staffInsert } from '../../src/core/authentication/staff-members.ts'
import { staffOfSession, staffSessionBegin } from '../../src/core/authentication/staff-sessions.ts'
import { calendarAppReplace, storedCalendarApps } from '../../src/core/business/calendar-app-queries.ts'
import { companySignInReplace, storedCompanySignIn } from '../../src/core/business/company-sign-in-queries.ts'
import { mailServerReplace, storedMailServer } from '../../src/core/business/mail-server-queries.ts'
import { storedTextProvider, textProviderReplace } from '../../src/core/business/text-provider-queries.ts'
import { seal, sealingKeysOf, unseal } from '../../src/core/keys/encrypt-secrets.ts'
import { reseal } from '../../src/core/keys/reencrypt-stored-secrets.ts'
import { pushKey } from '../../src/core/push/push-key.ts'
import { pushSubscriptionStore } from '../../src/core/push/push-subscriptions.ts'
import { resealCalendarApps } from '../../src/domain/desk/setup/reseal-calendar-apps.ts'
import { resealClientSecret } from '../../src/domain/desk/setup/reseal-client-secret.ts'
import type { StoredMailServer } from '../../src/infra/config/mail-server.ts'
import type { StoredTextProvider } from '../../src/infra/config/text-provider.ts'
import { openDatabase } from '../../src/infra/db/database.ts'
import { freshDatabase } from '../support/database.ts'
import { testPlatform } from '../support/platform.ts'
import { freePort, usp, waitForOutput } from '../support/process.ts'

const [FORMER, NEXT, OTHER] = ['former', 'next', 'other'].map((name) => name.repeat(10)) as [string, string, string]
const databaseUrl = await freshDatabase()
const db = openDatabase(databaseUrl, 2, () => {})
const platform = await testPlatform()
const { key: apiKey } = await addClient(db, 'Known', new Date())
const folder = mkdtempSync(join(tmpdir(), 'usp-reseal-'))
const env = { DATABASE_URL: databaseUrl, USP_DATA_DIR: folder }
afterAll(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

async function serve(USP_SECRET_KEY: string) {
  const port = await freePort()
  const running = usp(['serve'], { ...env, PORT: String(port), USP_SECRET_KEY })
  await waitForOutput(running, 'Ctrl-C stops it.')
  return { ...running, url: `http://127.0.0.1:${port}` }
}
type Server = Awaited<ReturnType<typeof serve>>

const stop = ({ process, ended }: Server) => {
  process.kill('SIGINT')
  return ended
}
const keys = async (action: string, secrets: NodeJS.ProcessEnv) => {
  const running = usp(['keys', action], { ...env, ...secrets })
  return { code: await running.ended, output: running.output() }
}
const both = { USP_SECRET_KEY: NEXT, USP_SECRET_KEY_OLD: FORMER }

const idempotencyKey = randomUUID()
async function subscribe({ url }: Server) {
  const answer = await fetch(`${url}/usp/v1/services/feed/subscriptions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${apiKey}`,
      'usp-agent': `profile="${platform.url}"`,
      'idempotency-key': idempotencyKey,
    },
    body: JSON.stringify({ callback_url: 'https://127.0.0.1:9543/hook' }),
  })
  return { status: answer.status, replayed: answer.headers.get('idempotency-replayed'), body: await answer.json() }
}
const published = async ({ url }: Server) => (await (await fetch(`${url}/.well-known/usp`)).json()).keys

const stored = async () => ({
  signing: await db.selectFrom('signing_keys').select('private_jwk').execute(),
  oauth: await db.selectFrom('oauth_keys').select('private_jwk').execute(),
  replies: await db.selectFrom('replies').select('reply').execute(),
})
const opens = async (secretKey: string) => {
  const boxes = sealingKeysOf(secretKey)
  const { signing, oauth, replies } = await stored()
  const tries = [
    ...signing.map(
      ({ private_jwk }) =>
        () =>
          unseal(boxes.signingKeys, private_jwk),
    ),
    ...oauth.map(
      ({ private_jwk }) =>
        () =>
          unseal(boxes.oauthKeys, private_jwk),
    ),
    ...replies.map(
      ({ reply }) =>
        () =>
          unseal(boxes.replies, reply ?? Buffer.alloc(0)),
    ),
  ]
  return tries.map((attempt) => {
    try {
      return attempt().length > 0
    } catch {
      return false
    }
  })
}

beforeAll(async () => {
  await db
    .insertInto('oauth_keys')
    .values({
      kid: 'one',
      public_jwk: '{}',
      private_jwk: seal(sealingKeysOf(FORMER).oauthKeys, '{}'),
      created_at: new Date(),
    })
    .execute()
})

test('[a secret key can be changed] reseal brings all that is sealed to the new one; nothing else is lost', async () => {
  const former = await serve(FORMER)
  const first = await subscribe(former)
  expect(first.status).toBe(201)
  const before = await published(former)
  expect(await keys('reseal', both)).toMatchObject({ code: 1, output: expect.stringContaining('A server is running') })
  await stop(former)
  expect(await keys('reseal', both)).toEqual({
    code: 0,
    output: expect.stringMatching(/^2 keys and 1 stored replies are sealed/),
  })
  expect(await opens(NEXT)).toEqual([true, true, true])
  expect(await opens(FORMER)).toEqual([false, false, false])

  const next = await serve(NEXT)
  expect(await published(next)).toEqual(before)
  expect(await subscribe(next)).toEqual({ ...first, replayed: 'true' })
  await stop(next)
  const refused = usp(['serve'], { ...env, USP_SECRET_KEY: FORMER, PORT: String(await freePort()) })
  expect(await refused.ended).toBe(1)
  expect(refused.output()).toMatch(/^USP_SECRET_KEY does not open the keys stored in this database/)
})

test.each<[string, NodeJS.ProcessEnv, RegExp]>([
  ['without the old secret', { USP_SECRET_KEY: OTHER }, /^Set USP_SECRET_KEY to the new value and USP_SECRET_KEY_OLD/],
  ['without the new one', { USP_SECRET_KEY_OLD: NEXT }, /^Set USP_SECRET_KEY to the new value and USP_SECRET_KEY_OLD/],
  ['with the same twice', { USP_SECRET_KEY: NEXT, USP_SECRET_KEY_OLD: NEXT }, /are the same/],
  [
    'with an old one that is another',
    { USP_SECRET_KEY: NEXT, USP_SECRET_KEY_OLD: OTHER },
    /^USP_SECRET_KEY_OLD does not open/,
  ],
  [
    'with one that is too short',
    { USP_SECRET_KEY: NEXT, USP_SECRET_KEY_OLD: 'short' },
    /^USP_SECRET_KEY_OLD is not usable/,
  ],
])('[a secret key can be changed] %s nothing is', async (_, secrets, message) => {
  const before = await stored()
  expect(await keys('reseal', secrets)).toEqual({ code: 1, output: expect.stringMatching(message) })
  expect(await stored()).toEqual(before)
})

test('[a secret key can be changed] many answers are, and one that the old secret does not open is counted and left', async () => {
  const boxes = sealingKeysOf(NEXT)
  const rows = Array.from({ length: 1_203 }, (_, index) => ({
    principal: `client:${index % 7}`,
    key: `key "${index}", é\\`,
    fingerprint: Buffer.alloc(32),
    reply: index === 700 ? Buffer.from('not sealed at all, but long enough') : seal(boxes.replies, `answer ${index}`),
    created_at: new Date(),
  }))
  const erased = { principal: 'client:x', key: 'x', fingerprint: Buffer.alloc(32), reply: null, created_at: new Date() }
  await db
    .insertInto('replies')
    .values([...rows, erased])
    .execute()
  expect(await reseal(db, { former: NEXT, next: OTHER })).toEqual({ keys: 2, replies: 1_203, unreadable: 1 })
  const opened = await db
    .selectFrom('replies')
    .select(['key', 'reply'])
    .where('principal', 'like', 'client:_')
    .execute()
  for (const { key, reply } of opened) {
    const [index] = /\d+/.exec(key) ?? []
    if (index === '700' || reply === null) continue
    expect(unseal(sealingKeysOf(OTHER).replies, reply)).toBe(`answer ${index}`)
  }
  await reseal(db, { former: OTHER, next: NEXT })
})

test('[a secret key can be changed] the password of the mail server is sealed anew, and one that nothing opens is gone', async () => {
  const server = {
    host: 'smtp.example.com',
    port: 465,
    security: 'tls',
    username: 'book',
    sender: 'a@example.com',
  } as const
  await mailServerReplaceIn({ ...server, password: seal(sealingKeysOf(NEXT).mailServer, 'swordfish') })
  await reseal(db, { former: NEXT, next: OTHER })
  const moved = await storedMailServer(db)
  expect(moved).toMatchObject(server)
  expect(unseal(sealingKeysOf(OTHER).mailServer, moved?.password ?? Buffer.alloc(0))).toBe('swordfish')
  await mailServerReplaceIn({ ...server, password: Buffer.from('not sealed at all, but long enough') })
  await reseal(db, { former: OTHER, next: NEXT })
  expect(await storedMailServer(db)).toEqual({ ...server, password: null })
})

test('[a secret key can be changed] the key and the addresses for push notifications are sealed anew, and what nothing opens is gone', async () => {
  const staffId = (await db.selectFrom('staff').select('id').executeTakeFirst())?.id
  const person = staffId ?? (await staffInsert(db, { name: 'Jo', role: 'staff', email: null }, new Date())).id
  const now = new Date()
  const needs = (secret: string) => ({ db, clock: () => now, pushBox: sealingKeysOf(secret).push })
  const first = await pushKey(needs(NEXT))
  const sessions = []
  for (const device of ['One', 'Two']) {
    const secret = await staffSessionBegin(db, { staffId: person, device }, now)
    const session = (await staffOfSession(db, secret, now))?.session ?? ''
    const address = { endpoint: `https://push.example/${device}`, p256dh: 'a', auth: 'b' }
    const [box, locale] = [sealingKeysOf(NEXT).push, 'en']
    await pushSubscriptionStore(db, { session, staffId: person, address, locale }, { box, now })
    sessions.push(session)
  }
  const broken = db.updateTable('push_subscriptions').set({ sealed: Buffer.from('not sealed at all, but long enough') })
  await broken.where('session_id', '=', sessions[1] ?? '').execute()
  await reseal(db, { former: NEXT, next: OTHER })
  expect((await pushKey(needs(OTHER))).publicKey).toBe(first.publicKey)
  const [row, ...others] = await db.selectFrom('push_subscriptions').select('sealed').execute()
  expect(others).toEqual([])
  expect(unseal(sealingKeysOf(OTHER).push, row?.sealed ?? Buffer.alloc(0))).toContain('https://push.example/One')
  await reseal(db, { former: OTHER, next: NEXT })
})

test('[a secret key can be changed] the client secret of the company sign-in is sealed anew, and one that nothing opens is gone', async () => {
  const rules = [{ claim: 'groups', value: 'salon', role: 'staff' as const }]
  const shown = { name: 'Example', issuer: 'https://id.example', client_id: 'desk', domains: ['example.com'], rules }
  const settings = { ...shown, default_role: null, tested_at: new Date('2026-11-20T00:00:00Z') }
  const enter = (client_secret: Buffer) =>
    db.transaction().execute((tx) => companySignInReplace(tx, { ...settings, client_secret }))
  await enter(seal(sealingKeysOf(NEXT).companySignIn, 'swordfish'))
  await reseal(db, { former: NEXT, next: OTHER }, [resealClientSecret])
  const moved = await storedCompanySignIn(db)
  expect(moved).toMatchObject(settings)
  expect(unseal(sealingKeysOf(OTHER).companySignIn, moved?.client_secret ?? Buffer.alloc(0))).toBe('swordfish')
  await enter(Buffer.from('not sealed at all, but long enough'))
  await reseal(db, { former: OTHER, next: NEXT }, [resealClientSecret])
  expect(await storedCompanySignIn(db)).toBeUndefined()
})

test('[a secret key can be changed] the secret of the app for calendars is sealed anew, and an app whose secret nothing opens is gone', async () => {
  const enter = (client_secret: Buffer) =>
    db.transaction().execute((tx) => calendarAppReplace(tx, { provider: 'google', client_id: 'desk', client_secret }))
  await enter(seal(sealingKeysOf(NEXT).calendars, 'swordfish'))
  await reseal(db, { former: NEXT, next: OTHER }, [resealCalendarApps])
  const [moved, ...others] = await storedCalendarApps(db)
  expect(moved).toMatchObject({ provider: 'google', client_id: 'desk' })
  expect(others).toEqual([])
  expect(unseal(sealingKeysOf(OTHER).calendars, moved?.client_secret ?? Buffer.alloc(0))).toBe('swordfish')
  await enter(Buffer.from('not sealed at all, but long enough'))
  await reseal(db, { former: OTHER, next: NEXT }, [resealCalendarApps])
  expect(await storedCalendarApps(db)).toEqual([])
})

test('[a secret key can be changed] the secret of the provider of text messages is sealed anew, or the provider is gone', async () => {
  const provider: StoredTextProvider = {
    ...{ adapter: 'http', url: 'https://texts.example/', account: '', sender: 'Salon', daily_limit: 1, price: '0.075' },
    ...{ countries: ['US'], topics: ['reminder'], quiet_from: null, quiet_until: null },
    secret: seal(sealingKeysOf(NEXT).textProvider, 'swordfish'),
  }
  await db.transaction().execute((tx) => textProviderReplace(tx, provider))
  await reseal(db, { former: NEXT, next: OTHER })
  const moved = await storedTextProvider(db)
  expect(moved).toMatchObject({ url: provider.url, price: '0.075' })
  expect(unseal(sealingKeysOf(OTHER).textProvider, moved?.secret ?? Buffer.alloc(0))).toBe('swordfish')
  await db
    .transaction()
    .execute((tx) => textProviderReplace(tx, { ...provider, secret: Buffer.from('not sealed at all, but long') }))
  await reseal(db, { former: OTHER, next: NEXT })
  expect(await storedTextProvider(db)).toBeUndefined()
})

const mailServerReplaceIn = (server: StoredMailServer) =>
  db.transaction().execute((tx) => mailServerReplace(tx, server))

test('[a secret key can be changed] a running server that missed it ends, and says why', async () => {
  const running = await serve(NEXT)
  await reseal(db, { former: NEXT, next: OTHER })
  expect(await running.ended).toBe(1)
  expect(running.output()).toContain('USP_SECRET_KEY does not open the keys stored in this database')
})

test('[a secret key can be changed] a retry whose answer nothing opens is refused, and nothing is done again', async () => {
  await db
    .updateTable('replies')
    .set({ reply: Buffer.from('sealed with a secret that is lost') })
    .where('key', '=', idempotencyKey)
    .execute()
  const count = async () => (await db.selectFrom('feed_subscriptions').select('id').execute()).length
  const before = await count()
  const running = await serve(OTHER)
  const { status, body } = await subscribe(running)
  expect([status, body.code]).toEqual([409, 'idempotency_conflict'])
  expect(await count()).toBe(before)
  await stop(running)
})
