import { authenticate, presentsCredential } from '../core/authentication/authenticate-caller.ts'
import { type AuthenticationDependencies, policyOf } from '../core/authentication/authentication-policy.ts'
import { bindIdentity, principalsOf, publishedBefore } from '../core/authentication/bind-key-to-profile.ts'
import { buyerPrincipal, concernsBuyer, strangerOf } from '../core/authentication/principals.ts'
import { countFailureOf, isFailure } from '../core/limits/failed-authentication-limit.ts'
import {
  type Agent,
  type Assistant,
  type Caller,
  type Role,
  STAFF_PREFIX,
  type Stranger,
} from '../protocol/caller-types.ts'
import type { Call } from '../protocol/define-operation.ts'
import type { Dependencies } from '../protocol/dependency-types.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { agentPlaces } from './check-platform-profile.ts'
import { assistantAt, visitorOf } from './page-visitor.ts'

export type CallerDependencies = AuthenticationDependencies &
  Dependencies<'clock' | 'business' | 'limits' | 'strangerLimitMet'>

/**
 * Finds out who the caller is, unless the operation is public. For staff members at the desk and visitors of pages, the
 * interface has already identified the person.
 */
export async function checkCaller(call: Call, dependencies: CallerDependencies): Promise<void> {
  const { access } = call.operation
  if (call.staff) {
    call.caller = staffCaller(call.staff)
    return
  }
  if (access === 'public') return
  if (call.visitor !== undefined) {
    call.caller = await visitorOf(call, call.visitor, dependencies)
    return
  }
  if (call.assistant) {
    call.caller = assistantCaller(
      call,
      call.assistant,
      await assistantAt(call.peer.address, call.assistant, dependencies),
    )
    return
  }
  const now = dependencies.clock()
  const definition = await dependencies.business.get()
  const policy = policyOf(definition, dependencies.config)
  if (access !== 'business_only' && !call.agent && presentsCredential(call)) throw agentMissing(call)
  try {
    const { principal: platform, mechanism, role, link } = await authenticate({ call, dependencies, policy, now })
    const profile = access === 'business_only' || mechanism === 'none' ? '' : call.agent?.url
    if (profile === undefined) throw agentMissing(call)
    const published = publishedBy(call.agent)
    if (profile !== '')
      await bindIdentity(dependencies.db, { principal: platform, profile, isPublished: published.has(platform) }, now)
    const forBuyer = link && concernsBuyer(call.operation) ? { buyer: link.buyer } : undefined
    const principal = link && forBuyer ? buyerPrincipal(platform, link) : platform
    // An account link is a permission of a buyer to book with their account. The buyer can end this permission at any
    // time, but a credential for a single booking would stay valid. Therefore callers with an account link get no such
    // credential.
    const credentials = !link && policy.accepted.includes('booking_scoped_credential')
    const identities = await identitiesOf(principal, published, call.agent, dependencies)
    const stranger = await strangerOf(call, { principal, agent: call.agent, published }, dependencies)
    const rights = { ...(role && { role }), ...(link && { link }), ...forBuyer, ...(stranger && { stranger }) }
    const publisher = published.has(principal) && { publisher: profile }
    call.caller = { principal, mechanism, profile, identities, ...publisher, credentials, ...rights }
  } catch (error) {
    // Only failed calls with a credential count as failed authentications. A call without a credential cannot be an
    // attempt to guess one.
    if (error instanceof ProtocolError && isFailure(error) && presentsCredential(call))
      await countFailureOf(call.peer.address, dependencies, definition?.limits, now)
    throw error
  }
}

/**
 * Makes the caller object for a call of an AI assistant. The assistant interface has already verified its access token.
 * The limits of visitors apply, because the business has not registered the assistant.
 */
const assistantCaller = ({ sentForm }: Call, { principal, ...link }: Assistant, stranger: Stranger): Caller => ({
  principal,
  mechanism: 'oauth2_bearer',
  profile: '',
  identities: [principal],
  credentials: false,
  link,
  buyer: link.buyer,
  stranger,
  ...(sentForm !== undefined && { sentForm }),
})

/**
 * Makes the caller object for a staff member. A program with an access token of this staff member counts as the same
 * caller.
 */
function staffCaller({ id, role }: { id: string; role: Role }): Caller {
  const principal = `${STAFF_PREFIX}${id}`
  return { principal, mechanism: 'desk', profile: '', identities: [principal], credentials: false, role }
}

const agentMissing = (call: Call) =>
  new ProtocolError(
    call.operation.protocol === 'ucp' ? 'invalid_profile_url' : 'invalid_request',
    `Name your platform profile in ${agentPlaces(call).join(' or ')}.`,
  )

/**
 * Lists the principals (stored names) of a caller. If a platform profile publishes the key of the caller, the list
 * covers all current and earlier keys of this profile. Therefore a platform can replace its keys and stays the same
 * caller.
 */
async function identitiesOf(
  principal: string,
  published: Set<string>,
  agent: Agent | undefined,
  { db }: Dependencies<'db'>,
): Promise<string[]> {
  if (!agent || !published.has(principal)) return [principal]
  return [...published.union(new Set(await publishedBefore(db, agent)))]
}

const publishedBy = (agent: Agent | undefined): Set<string> => (agent ? principalsOf(agent.profile) : new Set())
