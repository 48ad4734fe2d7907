import { defineOperation } from '../../../protocol/define-operation.ts'
import type { Dependencies } from '../../../protocol/dependency-types.ts'
import type { RegistrationRequest, UpdateRegistration } from '../../../protocol/types.generated.ts'
import type { PublishedBusiness } from '../indexing/read-business-profile.ts'
import { checkBusiness, checkedListing } from './check-listed-business.ts'
import { changedListing, changedMeanwhile, listedByAnother, onRegistrations, requireOwn } from './operation-defaults.ts'
import {
  ownRegistration,
  ownRegistrationLock,
  registrationAt,
  registrationMove,
  registrationReplace,
} from './registration-queries.ts'
import { answerOf, type Registration } from './registration-response.ts'

export const updateRegistration = defineOperation<
  UpdateRegistration & { prepared: PublishedBusiness | undefined; needs: Dependencies<'limits'> }
>({
  ...onRegistrations,
  id: 'updateRegistration',
  rest: 'PUT /registry/businesses/{id}',
  tool: 'usp_registry_update',
  title: 'Change a listing',
  description:
    'Replaces the listing of a business as a whole: members that are left out are removed. For another ' +
    'profile_url or deployment_mode, the server fetches the profile again. If it is not valid, the listing ' +
    'stays unchanged.',
  access: 'privileged_platform',
  effect: 'update',
  input: changedListing,
  async prepare(context) {
    const { caller, db, config } = context
    const { id, ...request } = context.input
    const listing = checkedListing(request, config)
    const current = requireOwn(await ownRegistration(db, id, caller))
    if (!needsCheck(current, listing)) return undefined
    const known = await registrationAt(db, listing.profile_url)
    if (known && known.id !== id) throw listedByAnother()
    return checkBusiness(listing, context, id)
  },
  async handle({ input: { id, ...request }, caller, db, config, now }, published) {
    const listing = checkedListing(request, config)
    const current = requireOwn(await ownRegistrationLock(db, id, caller))
    if (needsCheck(current, listing) && !published) throw changedMeanwhile()
    const replaced = await registrationReplace(db, id, { listing, caller, now })
    if (!replaced) throw listedByAnother()
    return answerOf(published && isMoved(current, listing) ? await registrationMove(db, id, published, now) : replaced)
  },
})

const isMoved = (current: Registration, { profile_url, deployment_mode }: RegistrationRequest) =>
  profile_url !== current.profile_url || deployment_mode !== current.deployment_mode

/** Whether the server must fetch the business profile again because of this change of a registration. */
const needsCheck = (current: Registration, listing: RegistrationRequest) =>
  isMoved(current, listing) || (current.location !== null && listing.location === undefined)
