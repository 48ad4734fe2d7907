import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { expectNotFound } from '../expect-not-found.ts'
import {
  hostBusiness,
  indexedBusiness,
  listedBusiness,
  listingOf,
  needs,
  searchBusinesses,
  searchServices,
  serviceOf,
} from './listed-business.ts'

const REQUIRED = ['profile_url', 'deployment_mode', 'name', 'verticals', 'categories', 'timezone']

export const registrationChangeChecks = [
  check(
    'REG-028',
    'The owner replaces a listing, which keeps its id and its time of creation',
    async (c) => {
      const { business, registration } = await listedBusiness(c, { description: 'Before.' })
      const { id, created_at } = registration
      const listing = listingOf(business, { name: `Changed ${business.word}`, verticals: ['group'] })
      const answer = await c.caller.call('updateRegistration', { id, ...listing })
      const updated = expectMembers(answer.success().registration, 'registration')
      if (c.binding === 'rest') expectEqual(answer.status, 200, 'the HTTP status')
      for (const [name, value] of Object.entries({ ...listing, id, created_at }))
        expectEqual(updated[name], value, name)
      expectEqual('description' in updated, false, 'whether the replaced listing keeps its description')
      const { registration: read } = (await c.anonymous.call('getRegistration', { id })).success()
      expectEqual(read, updated, 'the registration when read')
    },
    { needs },
  ),
  check(
    'REG-029',
    'An update without a member that registration requires is refused',
    async (c) => {
      const { business, registration } = await listedBusiness(c)
      const { id } = registration
      for (const name of REQUIRED) {
        const { [name]: _, ...incomplete } = listingOf(business)
        const answer = await c.caller.call('updateRegistration', { id, ...incomplete })
        answer.failsWith('invalid_request', { rest: 400, mcp: -32600 })
      }
      const { registration: read } = (await c.anonymous.call('getRegistration', { id })).success()
      expectEqual(read, registration, 'the registration after the refused updates')
    },
    { needs },
  ),
  check(
    'REG-030',
    'An update to a profile that is not valid is refused and changes nothing',
    async (c) => {
      const { business, registration } = await listedBusiness(c)
      const { id } = registration
      const broken = hostBusiness(c)
      broken.document = { hello: 'world' }
      const input = { id, ...listingOf(business, { profile_url: broken.profile, name: 'Changed' }) }
      const answer = await c.caller.call('updateRegistration', input)
      answer.failsWith('profile_malformed', { rest: 422, mcp: -32004 })
      const { registration: read } = (await c.anonymous.call('getRegistration', { id })).success()
      expectEqual(read, registration, 'the registration after the refused update')
    },
    { needs },
  ),
  check(
    'REG-031',
    'An update that keeps the profile address succeeds although the profile is gone',
    async (c) => {
      const { business, registration } = await listedBusiness(c)
      business.document = { hello: 'world' }
      const input = { id: registration.id, ...listingOf(business, { name: 'Changed' }) }
      const { registration: updated } = (await c.caller.call('updateRegistration', input)).success()
      expectEqual(expectMembers(updated, 'registration').name, 'Changed', 'name')
    },
    { needs },
  ),
  check(
    'REG-032 REG-033 LIV-002',
    'A listing that is unknown or another platform’s cannot be updated or deleted',
    async (c) => {
      const { business, registration } = await listedBusiness(c)
      const { id } = registration
      const other = c.newPlatform().caller
      const listing = listingOf(business, { name: 'Taken over' })
      for (const [caller, target, what] of [
        [c.caller, 'reg_of_nobody', 'an unknown registration'] as const,
        [other, id, 'the registration of another platform'] as const,
      ]) {
        expectNotFound(await caller.call('updateRegistration', { id: target, ...listing }), what)
        expectNotFound(await caller.call('deleteRegistration', { id: target }), what)
      }
      const { registration: read } = (await c.anonymous.call('getRegistration', { id })).success()
      expectEqual(read, registration, 'the registration afterwards')
    },
    { needs },
  ),
  check(
    'REG-034 REG-035 REG-036 REG-037',
    'A deleted listing disappears from readings and from both searches',
    async (c) => {
      const business = await indexedBusiness(c, (word) => [serviceOf('one', word)])
      const { word } = business
      const [listed] = await searchBusinesses(c, { categories: [word] })
      const { id } = expectMembers(listed, 'the listing')
      const answer = await c.caller.call('deleteRegistration', { id })
      if (c.binding === 'rest') {
        expectEqual(answer.status, 204, 'the HTTP status')
        expectEqual(answer.text, '', 'the body')
      } else {
        const others = Object.keys(answer.success()).filter((name) => name !== 'usp')
        expectEqual(others, [], 'the members of structuredContent except `usp`')
      }
      expectNotFound(await c.anonymous.call('getRegistration', { id }), 'a deleted registration')
      expectEqual(await searchBusinesses(c, { categories: [word] }), [], 'the businesses found')
      expectEqual(await searchServices(c, { categories: [word] }), [], 'the services found')
    },
    { needs },
  ),
]
