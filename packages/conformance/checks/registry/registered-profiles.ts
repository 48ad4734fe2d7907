import type { Members } from '../../caller/answer.ts'
import { expectEqual, expectMembers, expectTrue } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { businessProfile, expectUnlisted, hostBusiness, listingOf, needs, register } from './listed-business.ts'

const UCP_VERSION = '2026-08-25'

export const registeredProfileChecks = [
  check(
    'REG-013',
    'The registry refuses a profile address without https',
    async (c) => {
      const business = hostBusiness(c)
      for (const profile_url of ['http://business.example/.well-known/usp', 'ftp://business.example/usp']) {
        const answer = await c.caller.call('register', listingOf(business, { profile_url }))
        answer.failsWith('invalid_profile_url', { rest: 400, mcp: -32602 })
      }
    },
    { needs },
  ),
  check(
    'REG-015',
    'The registry refuses a profile address that answers with an error, and lists no business',
    async (c) => {
      const business = hostBusiness(c)
      const { origin } = new URL(business.address)
      for (const profile_url of [`${origin}/no-platform/profile`, 'https://business.invalid/.well-known/usp']) {
        const answer = await c.caller.call('register', listingOf(business, { profile_url }))
        answer.failsWith('profile_unreachable', { rest: 424, mcp: -32003 })
      }
      await expectUnlisted(c, business)
    },
    { needs },
  ),
  check(
    'REG-016 REG-017',
    'The registry refuses a malformed profile, and lists no business',
    async (c) => {
      const business = hostBusiness(c)
      const { usp, ...others } = businessProfile(business)
      const { business: identity, ...withoutBusiness } = expectMembers(usp, 'usp')
      for (const document of [{}, { ...others, usp: withoutBusiness }, ucpProfile(businessProfile(business))]) {
        const failing = hostBusiness(c)
        failing.document = document
        const answer = await c.caller.call('register', listingOf(failing, { categories: [business.word] }))
        answer.failsWith('profile_malformed')
      }
      await expectUnlisted(c, business)
    },
    { needs },
  ),
  check(
    'LIV-096 LIV-097',
    'In a UCP profile, only entries of this protocol need a version, a specification and a schema',
    async (c) => {
      const business = hostBusiness(c)
      const ucp = ucpProfile(businessProfile(business))
      const capabilities = ucp.ucp.capabilities as Members
      capabilities['dev.usp-protocol.services.waitlist'] = [{ version: '2026-08-20' }]
      capabilities['dev.ucp.shopping.checkout'] = [{ version: UCP_VERSION }]
      business.document = ucp
      const { deployment_mode } = await register(c, business, { deployment_mode: 'ucp_native' })
      expectEqual(deployment_mode, 'ucp_native', 'deployment_mode')
      const usp = hostBusiness(c)
      const answer = await c.caller.call('register', listingOf(usp, { deployment_mode: 'ucp_native' }))
      answer.failsWith('profile_malformed')
    },
    { needs },
  ),
  check(
    'REG-019',
    'The registry refuses a profile with a member `authorization` in a binding',
    async (c) => {
      const business = hostBusiness(c)
      const services = expectMembers(expectMembers(business.document.usp, 'usp').services, 'services')
      const [binding] = services['dev.usp-protocol.services'] as Members[]
      expectTrue(binding !== undefined, 'a binding', services)
      binding.authorization = {
        privileged_operations_require_authentication: true,
        accepted_mechanisms: ['platform_key_pop'],
      }
      const answer = await c.caller.call('register', listingOf(business))
      answer.failsWith('profile_malformed')
    },
    { needs },
  ),
]

/** Converts a profile to the UCP profile of the same business. */
function ucpProfile({ usp, ...others }: Members): { ucp: Members } {
  return { ...others, ucp: { ...expectMembers(usp, 'usp'), version: UCP_VERSION } }
}
