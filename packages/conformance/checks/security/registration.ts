import type { Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectMembers, expectText } from '../../run/expectations.ts'
import { sampleInputs } from '../core/sample-inputs.ts'

const PROFILE = '.well-known/usp'

/** Registers a business whose profile the suite serves, and deletes the registration after the check. */
export async function registeredBusiness(c: CheckContext): Promise<{ id: string; input: Members }> {
  const { hosted, caller } = c.platform
  hosted.documents.set(PROFILE, c.target.profile)
  const location = { coordinates: { lat: 1, lng: 1 } }
  const input = { ...sampleInputs.register, profile_url: `${hosted.address}/${PROFILE}`, location }
  const result = (await caller.call('register', input)).success()
  const id = expectText(expectMembers(result.registration, 'registration').id, 'the id of the registration')
  c.afterwards(() => caller.call('deleteRegistration', { id }))
  return { id, input }
}
