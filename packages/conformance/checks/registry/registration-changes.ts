import { expectEqual, expectMembers } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { expectNotFound } from '../expect-not-found.ts'
import {
  expectAllRequired,
  hostBusiness,
  indexedBusiness,
  listedBusiness,
  listingOf,
  needs,
  readRegistration,
  searchBusinesses,
  searchServices,
  serviceOf,
} from './listed-business.ts'

export const registrationChangeChecks = [
  check(
    'REG-028',
    'The owner can replace a listing, which keeps its id and creation time',
    async (c) => {
      const { business, registration } = await listedBusiness(c, { description: 'Before.' })
      const { id, created_at } = registration
      const listing = listingOf(business, { name: `Changed ${business.word}`, verticals: ['group'] })
      const answer = await c.caller.call('updateRegistration', { id, ...listing })
      const updated = expectMembers(answer.success().registration, 'registration')
      if (c.binding === 'rest') expectEqual(answer.status, 200, 'the HTTP status')
      for (const [name, value] of Object.entries({ ...listing, id, created_at }))
        expectEqual(updated[name], value, name)
      expectEqual('description' in updated, false, 'the presence of the old description in the listing')
      expectEqual(await readRegistration(c, id), updated, 'the registration when read')
    },
    { needs },
  ),
  check(
    'REG-029',
    'The registry refuses an update without a member that a registration requires',
    async (c) => {
      const { business, registration } = await listedBusiness(c)
      const { id } = registration
      await expectAllRequired(c, 'updateRegistration', { id, ...listingOf(business) })
      expectEqual(await readRegistration(c, id), registration, 'the registration after the refused updates')
    },
    { needs },
  ),
  check(
    'REG-030',
    'The registry refuses an update to a malformed profile, and changes nothing',
    async (c) => {
      const { business, registration } = await listedBusiness(c)
      const { id } = registration
      const broken = hostBusiness(c)
      broken.document = { hello: 'world' }
      const input = { id, ...listingOf(business, { profile_url: broken.profile, name: 'Changed' }) }
      const answer = await c.caller.call('updateRegistration', input)
      answer.failsWith('profile_malformed')
      expectEqual(await readRegistration(c, id), registration, 'the registration after the refused update')
    },
    { needs },
  ),
  check(
    'REG-031',
    'An update with the same profile address succeeds even if the profile no longer exists',
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
    'A platform cannot update or delete an unknown listing, or one of another platform',
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
      expectEqual(await readRegistration(c, id), registration, 'the registration after the refused calls')
    },
    { needs },
  ),
  check(
    'REG-034 REG-035 REG-036 REG-037',
    'A deleted listing cannot be read, and no search finds it',
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
