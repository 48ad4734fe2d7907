import { KeyPair } from '../../caller/key-pair.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { changedPlatform } from './named-platforms.ts'

const needs = ['services.bookings']
const BOOKING = { booking_id: 'booking_of_nobody' }

const STRANGE_KEYS = [
  { kid: 'strange-type', kty: 'XYZ', use: 'sig' },
  { kid: 'strange-curve', kty: 'EC', crv: 'P-999', x: 'AAAA', y: 'AAAA' },
  { kid: 'strange-algorithm', kty: 'RSA', n: 'AQAB', e: 'AQAB', alg: 'XS999' },
]

export const platformKeyChecks = [
  check(
    'PRO-063',
    'The server skips a key of an unknown kind and uses another key of the profile',
    async (c) => {
      const { hosted } = signing(c, ({ document, key }) => {
        document.keys = [...STRANGE_KEYS, key.published]
      })
      await expectKnown(c, hosted.profile, hosted.key)
    },
    { needs },
  ),
  check(
    'PRO-064',
    'A platform whose profile has no keys can prove its calls with a key of its own',
    async (c) => {
      if (!c.target.mechanisms.includes('platform_key_pop'))
        throw new Skip('The business does not accept platform_key_pop.')
      const { caller } = changedPlatform(c, ({ document }) => delete document.keys)
      ;(await caller.call('getBooking', BOOKING)).failsWith('booking_not_found', { rest: 404, mcp: -32602 })
    },
    { needs },
  ),
  check(
    'PRO-065',
    'The server looks for a key in keys first, and in signing_keys if it is missing there',
    async (c) => {
      const [second, third] = [new KeyPair(), new KeyPair()]
      const { hosted } = signing(c, ({ document, key }) => {
        document.keys = [key.published]
        document.signing_keys = [second.published, { ...third.published, kid: key.thumbprint }]
      })
      await expectKnown(c, hosted.profile, hosted.key)
      await expectKnown(c, hosted.profile, second)
    },
    { needs },
  ),
  check(
    'PRO-066',
    'Each of several keys of a profile verifies signatures',
    async (c) => {
      const keys = [new KeyPair(), new KeyPair(), new KeyPair()]
      const { hosted } = signing(c, ({ document }) => {
        document.keys = keys.map(({ published }) => published)
      })
      for (const key of keys) await expectKnown(c, hosted.profile, key)
    },
    { needs },
  ),
  check(
    'PRO-077 ERR-061',
    'Signatures with an unknown key cause at most one more fetch of the profile',
    async (c) => {
      const { hosted, caller } = signing(c, () => {})
      for (let call = 0; call < 3; call++) {
        const signature = { keyid: `unknown-${call}` }
        const answer = await caller.call('getBooking', BOOKING, { authentication: 'signature', signature })
        answer.failsWith('key_not_found', { rest: 401, mcp: -32006 })
      }
      expectTrue(hosted.reads <= 2, 'at most two fetches of the profile', `${hosted.reads} fetches`)
    },
    { needs },
  ),
]

function signing(c: CheckContext, change: Parameters<typeof changedPlatform>[1]) {
  if (!c.target.mechanisms.includes('http_message_signature'))
    throw new Skip('The business does not accept http_message_signature.')
  return changedPlatform(c, change)
}

/** Requires that the server accepts a signature with this key. */
async function expectKnown(c: CheckContext, profile: string, key: KeyPair): Promise<void> {
  const { error } = await c.callerFor({ profile, key }, 'signature').call('getBooking', BOOKING)
  expectEqual(error?.code, 'booking_not_found', 'the code of the answer to a signed request')
}
