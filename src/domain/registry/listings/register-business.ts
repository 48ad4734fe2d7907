import { newId } from '../../../infra/util/random-bytes.ts'
import { defineOperation, STATUS } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import type { Message, RegisterBusiness } from '../../../protocol/types.generated.ts'
import type { PublishedBusiness } from '../indexing/read-business-profile.ts'
import { checkBusiness, checkedListing } from './check-listed-business.ts'
import { changedMeanwhile, newListing, onRegistrations, refuseOthers } from './operation-defaults.ts'
import { registrationAt, registrationInsert } from './registration-queries.ts'
import { answerOf } from './registration-response.ts'

export const registerBusiness = defineOperation<
  RegisterBusiness & { prepared: PublishedBusiness | undefined; needs: Dependencies<'limits'> }
>({
  ...onRegistrations,
  id: 'registerBusiness',
  rest: 'POST /registry/businesses',
  tool: 'usp_registry_register',
  title: 'List a business',
  description:
    'Lists a business in this directory, where everyone can find it. The server fetches its profile, which ' +
    'must be valid. A listing grants no credential and no rights at the business. Only the caller that created ' +
    'it can change or remove it.',
  access: 'privileged_platform',
  effect: 'create',
  input: newListing,
  async prepare(context) {
    const { input, caller, db, config } = context
    const listing = checkedListing(input, config)
    const known = await registrationAt(db, listing.profile_url)
    if (!known) return checkBusiness(listing, context)
    refuseOthers(known, caller)
    return undefined
  },
  async handle({ input, caller, db, config, now }, published) {
    const listing = checkedListing(input, config)
    const id = newId('reg')
    const created = published && (await registrationInsert(db, { id, listing, published, caller, now }))
    if (created) return answerOf(created)
    const known = await registrationAt(db, listing.profile_url)
    if (!known) throw changedMeanwhile()
    refuseOthers(known, caller)
    const { registration, messages = [] } = answerOf(known)
    return { registration, messages: [alreadyListed, ...messages], [STATUS]: 200 }
  },
})

const alreadyListed: Message = {
  type: 'info',
  code: 'already_registered',
  content: 'This profile was listed before, and nothing has changed. Update the registration to change it.',
}
