import { ProtocolError } from '../protocol/errors.ts'
import type { Agent, Call } from '../protocol/operation.ts'
import type { PlatformProfile } from '../protocol/types.generated.ts'
import type { Runtime } from '../runtime.ts'
import { authenticate, presentsCredential } from './authenticate.ts'
import { bindIdentity } from './bind-identity.ts'
import { countFailure } from './failed-attempts.ts'
import { usableThumbprint } from './keys.ts'
import { concernsBuyer, onBehalf } from './linked.ts'
import { policyOf } from './mechanisms.ts'
import { agentPlaces } from './read-agent.ts'
import { strangerOf } from './stranger.ts'

/** Finds out who calls a privileged operation. Public ones ask nobody, whatever a caller shows. */
export async function checkCaller(call: Call, runtime: Runtime): Promise<void> {
  const { access } = call.operation
  if (access === 'public') return
  const now = runtime.clock()
  const definition = await runtime.business.get()
  const policy = policyOf(definition, runtime.config)
  if (access !== 'business_only' && !call.agent && presentsCredential(call)) throw agentMissing(call)
  try {
    const { principal: platform, mechanism, role, link } = await authenticate({ call, runtime, policy, now })
    const profile = access === 'business_only' || mechanism === 'none' ? '' : call.agent?.url
    if (profile === undefined) throw agentMissing(call)
    if (profile !== '') await bindIdentity(runtime.db, platform, profile, now)
    const forBuyer = link && concernsBuyer(call.operation) ? { buyer: link.buyer } : undefined
    const principal = link && forBuyer ? onBehalf(platform, link) : platform
    // A credential would outlast the link that the buyer can end at any time.
    const credentials = !link && policy.accepted.includes('booking_scoped_credential')
    const published = publishedBy(call.agent)
    const identities = identitiesOf(principal, published)
    const stranger = await strangerOf(call, { principal, agent: call.agent, published }, runtime)
    const rights = { ...(role && { role }), ...(link && { link }), ...forBuyer, ...(stranger && { stranger }) }
    const publisher = published.has(principal) && { publisher: profile }
    call.caller = { principal, mechanism, profile, identities, ...publisher, credentials, ...rights }
  } catch (error) {
    if (error instanceof ProtocolError) await countFailure(error, call, runtime, definition?.limits, now)
    throw error
  }
}

const agentMissing = (call: Call) =>
  new ProtocolError('invalid_request', `Name your platform profile in ${agentPlaces(call).join(' or ')}.`)

/** A key that the profile itself publishes acts for the profile's other keys: that is how platforms rotate theirs. */
const identitiesOf = (principal: string, published: Set<string>): string[] =>
  published.has(principal) ? [...published] : [principal]

const publishedBy = (agent: Agent | undefined): Set<string> => (agent ? principalsOf(agent.profile) : new Set())

/** Whether it is a key that the profile names as its own, and not one that anybody may have made. */
export const isPublished = (principal: string, { profile }: Agent): boolean => principalsOf(profile).has(principal)

/** Reckoned once for each profile that was fetched. */
const principals = new WeakMap<PlatformProfile, Set<string>>()

function principalsOf(profile: PlatformProfile): Set<string> {
  const known = principals.get(profile)
  if (known) return known
  const { keys = [], signing_keys = [] } = profile
  const thumbprints = [...keys, ...signing_keys].flatMap((jwk) => usableThumbprint(jwk) ?? [])
  const found = new Set(thumbprints.map((one) => `key:${one}`))
  principals.set(profile, found)
  return found
}
