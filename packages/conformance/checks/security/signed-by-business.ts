import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectList, expectTrue } from '../../run/expectations.ts'
import { Mismatch, Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { expectSignedByProfile, readSignature, type SignedMessage } from './verify-signature.ts'

const needs = ['services.bookings']
const EVENT_WAIT_MS = 10_000
const CREATED_TOLERANCE_SECONDS = 60
const WEBHOOK_COMPONENTS = ['@method', '@authority', '@path', 'content-digest', 'content-type']

export const signedByBusinessChecks = [
  check(
    'SIG-046 SIG-047 SIG-050 SIG-051',
    'A webhook is signed with ES256 by a key of the business profile, over its digest',
    async (c) => {
      const { value, parameters } = expectSignedByProfile(await webhookOfBooking(c), await currentProfile(c))
      expectEqual(value.length, 64, 'the number of bytes in the signature')
      expectEqual(parameters.alg ?? 'ecdsa-p256-sha256', 'ecdsa-p256-sha256', 'alg')
    },
    { needs },
  ),
  check(
    'SIG-048 SIG-049',
    'The signature of a webhook covers the request, and has the time of signing as a parameter',
    async (c) => {
      const message = await webhookOfBooking(c)
      const { components, parameters } = readSignature(message)
      const missing = WEBHOOK_COMPONENTS.filter((name) => !components.includes(name))
      expectEqual(missing, [], 'the components that the signature does not cover')
      expectEqual(components.includes('@created'), false, 'whether @created is a component')
      const age = Math.abs(Date.now() / 1000 - Number(parameters.created))
      expectTrue(age < CREATED_TOLERANCE_SECONDS, 'a created of the moment of sending', parameters.created)
    },
    { needs },
  ),
  check(
    'SIG-061',
    'The keys of the business are for ES256',
    async ({ target: { profile } }) => {
      for (const { kty, crv, alg, use } of expectList(profile.keys ?? [], 'keys'))
        expectEqual({ kty, crv, alg, use }, { kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' }, 'a key')
    },
    { only: 'rest' },
  ),
  check(
    'SIG-062 SIG-063',
    'The answer to a booking is signed, and so is its replay',
    async (c) => {
      const slot = await c.slot(c.simpleService)
      const input = { service_id: c.simpleService.id, slot_id: slot.id, buyer: c.buyer() }
      const idempotencyKey = randomUUID()
      const profile = await currentProfile(c)
      for (let sending = 1; sending <= 2; sending++) {
        const answer = await c.caller.call('book', input, { idempotencyKey })
        const booking = answer.success().booking as Members
        if (sending === 1) c.cancelAfterwards(booking)
        if (answer.headers.signature === undefined) throw new Skip('The business does not sign its answers.')
        const { components } = expectSignedByProfile(signedAnswer(answer), profile)
        const missing = ['@status', 'content-digest', 'content-type'].filter((name) => !components.includes(name))
        expectEqual(missing, [], 'the components that the signature does not cover')
        expectEqual(components.includes('@method'), false, 'whether @method is a component')
      }
    },
    { needs, only: 'rest' },
  ),
]

/** The webhook that the business sends about a canceled booking. */
async function webhookOfBooking(c: CheckContext): Promise<SignedMessage> {
  const { booking } = await c.book()
  ;(await c.caller.call('cancelBooking', { booking_id: booking.id })).success()
  const { hosted } = c.platform
  const deadline = Date.now() + EVENT_WAIT_MS
  while (hosted.events[0] === undefined) {
    if (Date.now() > deadline) throw new Mismatch('a webhook about the canceled booking', 'none')
    await sleep(100)
  }
  const [event] = hosted.events
  const { headers, body, method, path } = event
  return { headers, body, derived: derivedOf(method, new URL(path, hosted.webhookUrl)) }
}

const derivedOf = (method: string, { host, pathname, search, href }: URL): Record<string, string> => ({
  '@method': method,
  '@authority': host,
  '@path': pathname,
  '@query': search || '?',
  '@target-uri': href,
})

const signedAnswer = ({ headers, text, status }: Answer): SignedMessage => ({
  headers,
  body: text,
  derived: { '@status': String(status) },
})

/** The profile as the server serves it now, because a business may change its keys. */
async function currentProfile({ anonymous, target }: CheckContext): Promise<Members> {
  return asMembers((await anonymous.request('GET', target.profileUrl)).json) ?? {}
}
