import { expect, test } from 'vitest'
import { addClient, rotateCredentials } from '../../src/core/authentication/api-keys.ts'
import { newSecret, secretDigest } from '../../src/core/keys/encrypt-secrets.ts'
import { bindings, business, oauthServer, obtain } from '../oauth/support.ts'

const { server, platform, client } = await oauthServer(
  business(
    { accepted_mechanisms: ['oauth2_bearer', 'api_key', 'booking_scoped_credential'] },
    { limits: { failed_authentications: 2 } },
  ),
)
const { db } = server.runtime
const { rest, mcp } = bindings(server, platform)
const MINUTE = 60_000

/** A key that was changed for another, a token of ten minutes, and what opened a booking that is over. */
async function ended(): Promise<[mechanism: string, credential: string][]> {
  const token = await obtain(server, client)
  await rotateCredentials(db, client.id, server.time.now, server.time.now)
  const credential = newSecret('bsc')
  await db
    .insertInto('scoped_credentials')
    .values({
      value_hash: secretDigest(credential),
      resource_kind: 'booking',
      resource_id: 'bkg_over',
      principal: 'key:a',
      profile: platform.url,
      jkt: null,
      expires_at: server.time.now,
    })
    .execute()
  server.time.now = new Date(server.time.now.getTime() + 11 * MINUTE)
  return [
    ['api_key', client.key],
    ['oauth2_bearer', token],
    ['booking_scoped_credential', credential],
  ]
}

test('[LIM-017] [what has ended is no guess] whoever shows it is told so each time, and locks nobody out', async () => {
  for (const [mechanism, credential] of await ended()) {
    const scheme = mechanism === 'booking_scoped_credential' ? 'DPoP' : 'Bearer'
    for (let attempt = 0; attempt < 4; attempt++) {
      const { code } = await rest({ headers: { authorization: `${scheme} ${credential}` } })
      expect([mechanism, code]).toEqual([mechanism, 'authentication_required'])
      const said = await mcp({ authorization: { mechanism, credential } })
      expect([mechanism, said.code]).toEqual([mechanism, 'authentication_required'])
    }
  }
})

test('[LIM-017] [what has ended is no guess] a token with another signature is one', async () => {
  const token = await obtain(server, await addClient(db, 'Another platform', new Date()))
  const [head, claims, signature = ''] = token.split('.')
  const forged = [head, claims, signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))].join('.')
  const codes = []
  for (let attempt = 0; attempt < 4; attempt++)
    codes.push((await rest({ headers: { authorization: `Bearer ${forged}` } })).code)
  expect(codes.at(-1)).toBe('rate_limited')
})
