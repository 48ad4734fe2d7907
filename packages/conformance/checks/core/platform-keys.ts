import { signatureKeyOf } from '../../caller/caller.ts'
import type { KeyPair } from '../../caller/key-pair.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { requireMechanism } from '../security/mechanism-check.ts'
import { changedPlatform } from './named-platforms.ts'
import { sampleInputs } from './sample-inputs.ts'

const needs = ['services.bookings']
const BOOKING = sampleInputs.getBooking

const STRANGE_KEYS = [
  { kid: 'strange-type', kty: 'XYZ', use: 'sig' },
  { kid: 'strange-curve', kty: 'EC', crv: 'P-999', x: 'AAAA', y: 'AAAA' },
  { kid: 'strange-algorithm', kty: 'RSA', n: 'AQAB', e: 'AQAB', alg: 'XS999' },
]

export const platformKeyChecks = [
  check(
    'PRO-063',
    'The server skips a key of an unknown type, and uses another key of the profile',
    async (c) => {
      const { hosted } = signing(c, (platform) => {
        platform.document.keys = [...STRANGE_KEYS, signatureKeyOf(platform).published]
      })
      await expectKnown(c, hosted.profile, signatureKeyOf(hosted))
    },
    { needs },
  ),
  check(
    'PRO-064',
    'A platform whose profile has no keys can prove its calls with any key',
    async (c) => {
      requireMechanism(c, 'platform_key_pop')
      const { caller } = changedPlatform(c, ({ document }) => delete document.keys)
      ;(await caller.call('getBooking', BOOKING)).failsWith('booking_not_found')
    },
    { needs },
  ),
  check(
    'PRO-065',
    'The server looks for a key in keys first, and then in signing_keys',
    async (c) => {
      const [second, third] = [c.newKey('signature'), c.newKey('signature')]
      const { hosted } = signing(c, (platform) => {
        const key = signatureKeyOf(platform)
        platform.document.keys = [key.published]
        platform.document.signing_keys = [second.published, { ...third.published, kid: key.thumbprint }]
      })
      await expectKnown(c, hosted.profile, signatureKeyOf(hosted))
      await expectKnown(c, hosted.profile, second)
    },
    { needs },
  ),
  check(
    'PRO-066',
    'The server accepts signatures by each key of a profile',
    async (c) => {
      const keys = [c.newKey('signature'), c.newKey('signature'), c.newKey('signature')]
      const { hosted } = signing(c, ({ document }) => {
        document.keys = keys.map(({ published }) => published)
      })
      for (const key of keys) await expectKnown(c, hosted.profile, key)
    },
    { needs },
  ),
  check(
    'PRO-077 ERR-061',
    'Signatures with unknown keys cause at most one more fetch of the profile',
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

/**
 * Creates a platform that signs its calls, and changes its profile. Skips the check if the business accepts no
 * signatures.
 */
function signing(c: CheckContext, change: Parameters<typeof changedPlatform>[1]) {
  requireMechanism(c, 'http_message_signature')
  return changedPlatform(c, change)
}

/** Requires that the server accepts a signature with this key. */
async function expectKnown(c: CheckContext, profile: string, key: KeyPair): Promise<void> {
  const { error } = await c.callerFor({ profile, key }, 'signature').call('getBooking', BOOKING)
  expectEqual(error?.code, 'booking_not_found', 'the error code of the answer to a signed request')
}
