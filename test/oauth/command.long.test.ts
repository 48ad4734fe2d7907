import { expect, test } from 'vitest'
import { deriveKey } from '../../src/core/keys/encrypt-secrets.ts'
import { privateKeys } from '../../src/core/tokens/token-signing-keys.ts'
import { checkRedirectUris } from '../../src/core/tokens/validate-client-metadata.ts'
import { freshDatabase } from '../support/database.ts'
import { usp } from '../support/process.ts'
import { basic, business, grant, oauthServer, post } from './support.ts'

const SECRET = 'another secret than the one before'
const databaseUrl = await freshDatabase()
const { server } = await oauthServer(business(), databaseUrl)

async function clients(...args: string[]) {
  const command = usp(['clients', ...args], { DATABASE_URL: databaseUrl })
  expect(await command.ended).toBe(0)
  const find = (pattern: RegExp) => pattern.exec(command.output())?.[0] ?? ''
  return { id: find(/cli_[\w-]+/), key: find(/usk_[\w-]+/), secret: find(/ucs_[\w-]+/) }
}

test('[AUT-059] [AUT-060] a client is added, rotated and revoked at the command line, key and secret together', async () => {
  const status = async (client: { id: string; secret: string }) =>
    (await post(server, '/oauth/token', grant, basic(client))).status
  const added = await clients('add', 'Partner')
  expect(await status(added)).toBe(200)
  const rotated = await clients('rotate', added.id)
  expect(rotated.id).toBe(added.id)
  expect(new Set([added.key, added.secret, rotated.key, rotated.secret]).size).toBe(4)
  expect([await status(added), await status(rotated)]).toEqual([200, 200])
  const atOnce = await clients('rotate', added.id, '--now')
  expect([await status(added), await status(rotated), await status(atOnce)]).toEqual([401, 401, 200])
  const { key, secret } = await clients('list')
  expect([key, secret]).toEqual(['', ''])
  await clients('revoke', added.id)
  expect(await status(atOnce)).toBe(401)
})

test('[AUT-068] a client gets its redirect URIs at the command line, and others later', async () => {
  const redirects = async (id: string) =>
    (
      await server.runtime.db
        .selectFrom('clients')
        .select('redirect_uris')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).redirect_uris
  const [first, here] = ['https://platform.example/back', 'http://127.0.0.1:9000/back']
  const { id } = await clients('add', 'Linker', '--redirect', first, '--redirect', here)
  expect(await redirects(id)).toEqual([first, here])
  await clients('redirect', id, '--redirect', first)
  expect(await redirects(id)).toEqual([first])
  await clients('redirect', id)
  expect(await redirects(id)).toEqual([])
})

test.each(['redirect', 'rotate', 'revoke'])(
  '[AUT-059] [AUT-068] `usp clients %s` says that there is no client with this id',
  async (action) => {
    const command = usp(['clients', action, 'cli_unknown'], { DATABASE_URL: databaseUrl })
    expect(await command.ended).toBe(1)
    expect(command.output()).toBe('There is no client with the id cli_unknown. See: usp clients list\n')
  },
)

test.each([
  ['http://platform.example/back', 'development'],
  ['https://platform.example/back#part', 'development'],
  ['https://user:word@platform.example/back', 'development'],
  ['platform.app://back', 'development'],
  ['/back', 'development'],
  ['http://127.0.0.1:9000/back', 'production'],
] as const)('[AUT-068] %s is no redirect URI in %s', (uri, mode) => {
  expect(() => checkRedirectUris([uri], { mode })).toThrow('cannot be a redirect URI')
})

test('[PRO-037] the token endpoint answers over a real connection, with the headers of every answer', async () => {
  const client = await clients('add', 'Wired')
  const address = await (await server.whole()).listen({ port: 0, host: '127.0.0.1' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      fetch(`${address}/oauth/token`, {
        method: 'POST',
        headers: { ...basic(client), origin: 'https://agent.example', accept: 'text/html' },
        body: new URLSearchParams(grant),
      }),
    ),
  )
  for (const answer of answers) {
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-request-id')).toMatch(/\S/)
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer' })
  }
  const huge = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    headers: basic(client),
    body: new URLSearchParams({ ...grant, x: 'x'.repeat(2_000_000) }),
  }).catch(() => undefined)
  expect(huge?.status ?? 400).toBe(400)
})

test('[what a lost secret sealed can be withdrawn] after `usp keys compromise` access tokens are issued under another key', async () => {
  const lost = await freshDatabase()
  const before = await oauthServer(business(), lost)
  const { db } = before.server.runtime
  expect((await post(before.server, '/oauth/token', grant, basic(before.client))).status).toBe(200)
  const [{ kid } = { kid: '' }] = await db.selectFrom('oauth_keys').select('kid').execute()
  const [signing] = await db.selectFrom('signing_keys').select('kid').execute()
  const keys = async (...args: string[]) => {
    const command = usp(['keys', ...args], { DATABASE_URL: lost, USP_SECRET_KEY: SECRET })
    return { code: await command.ended, output: command.output() }
  }
  expect((await keys('list')).output).toMatch(new RegExp(`${kid}.* access tokens `))
  expect((await keys('compromise', String(signing?.kid))).code).toBe(0)
  expect(await keys('compromise', kid)).toMatchObject({ code: 0, output: expect.stringContaining('Start the servers') })
  const box = deriveKey(SECRET, 'oauth keys')
  const { keys: made } = await privateKeys(db, box, new Date())
  expect(made.map((one) => one.kid)).toEqual([expect.not.stringContaining(kid)])
})
