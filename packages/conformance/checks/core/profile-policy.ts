import { expectEqual, expectMembers, expectStatus, expectText, expectTrue } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'
import { check } from '../check.ts'
import { sampleInputs } from './sample-inputs.ts'

const NEEDING_A_POLICY = ['services.bookings', 'services.waitlist']

export const profilePolicyChecks = [
  check(
    'PRO-032 PRO-033',
    'The profile demands authentication for privileged operations',
    async ({ target, schemas }) => {
      const holds = target.capability('services.availability')?.holds === true
      if (!holds && !NEEDING_A_POLICY.some((name) => target.capability(name)))
        throw new Skip('The business offers no bookings, holds or waitlist.')
      const policy = expectMembers(target.policy, 'authorization')
      schemas.expectValid('profile#AuthorizationPolicy', policy, 'authorization')
      expectEqual(
        policy.privileged_operations_require_authentication,
        true,
        'privileged_operations_require_authentication',
      )
    },
    { once: true },
  ),
  check(
    'PRO-035',
    'The server accepts proofs and signatures of platforms if, and only if, its policy lists them',
    async (c) => {
      expectTrue(c.target.mechanisms.length > 0, 'at least one accepted mechanism', c.target.mechanisms)
      for (const [mechanism, authentication] of [
        ['platform_key_pop', 'proof'],
        ['http_message_signature', 'signature'],
      ] as const) {
        const { caller } = c.newPlatform(authentication)
        const { error } = await caller.call('getBooking', sampleInputs.getBooking)
        const isAccepted = error?.code === 'booking_not_found'
        expectEqual(isAccepted, c.target.mechanisms.includes(mechanism), `the acceptance of ${mechanism} by the server`)
      }
    },
    { needs: ['services.bookings'] },
  ),
  check(
    'PRO-036',
    'At least one accepted mechanism needs no earlier agreement with the business',
    async ({ target: { mechanisms } }) => {
      expectTrue(
        mechanisms.includes('http_message_signature') || mechanisms.includes('booking_scoped_credential'),
        'http_message_signature or booking_scoped_credential among the accepted mechanisms',
        mechanisms,
      )
    },
    { once: true },
  ),
  check(
    'PRO-037',
    'The profile has a token endpoint only together with oauth2_bearer, and the endpoint answers',
    async ({ anonymous, target }) => {
      const { token_endpoint } = expectMembers(target.policy, 'authorization')
      if (token_endpoint === undefined) throw new Skip('The profile has no token_endpoint.')
      expectTrue(target.mechanisms.includes('oauth2_bearer'), 'oauth2_bearer among the mechanisms', target.mechanisms)
      const answer = await anonymous.request('POST', expectText(token_endpoint, 'token_endpoint'), {
        body: 'grant_type=of_no_specification',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
      expectStatus(answer, 400, 401)
      expectText(expectMembers(answer.json, 'the answer').error, 'error')
    },
    { once: true },
  ),
]
