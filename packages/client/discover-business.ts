import { asRecord } from '../../src/infra/util/object-members.ts'
import { foreignMember } from '../../src/protocol/check-capability-origin.ts'
import type { BusinessProfile } from '../../src/protocol/types.generated.ts'
import { UspError } from './client-errors.ts'
import { withRetries } from './retry-failed-calls.ts'
import { send } from './send-http-request.ts'
import { errorOf } from './transport.ts'

const SERVICE = 'dev.usp-protocol.services'

export async function fetchProfile(url: string): Promise<BusinessProfile> {
  const answer = await withRetries(async () => {
    const answer = await send({ method: 'GET', url, headers: { accept: 'application/json' } })
    if (answer.status !== 200) throw errorOf(answer)
    return answer
  })
  const document = withoutForeignEntries(answer.body)
  if (!isProfile(document)) throw new UspError('profile_malformed', answer.status, `${url} is not a business profile.`)
  return document
}

export function endpointOf(profile: BusinessProfile, transport: 'rest' | 'mcp'): string {
  const bindings = profile.usp.services[SERVICE] ?? []
  const endpoint = bindings.find((binding) => binding.transport === transport)?.endpoint
  if (endpoint === undefined)
    throw new UspError('not_found', 200, `The business does not answer over ${transport.toUpperCase()}.`)
  return endpoint
}

/**
 * Removes foreign entries from the capabilities of a business profile. An entry is foreign if its documents are not at
 * the host that its name implies. The rest of the profile stays valid.
 */
function withoutForeignEntries(body: unknown): unknown {
  const { usp } = asRecord(body)
  const { capabilities } = asRecord(usp)
  if (typeof capabilities !== 'object' || capabilities === null) return body
  const usable = Object.entries(capabilities).flatMap(([name, entries]) => {
    const kept = Array.isArray(entries) ? entries.filter((entry: unknown) => !foreignMember(name, entry)) : []
    return kept.length > 0 ? [[name, kept]] : []
  })
  return { ...asRecord(body), usp: { ...asRecord(usp), capabilities: Object.fromEntries(usable) } }
}

function isProfile(body: unknown): body is BusinessProfile {
  const { services, capabilities } = asRecord(asRecord(body).usp)
  return isObject(services) && areBindings(services[SERVICE]) && isObject(capabilities)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const areBindings = (value: unknown): boolean => value === undefined || (Array.isArray(value) && value.every(isObject))
