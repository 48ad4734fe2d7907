import { asMembers, type Members } from '../caller/answer.ts'
import type { Binding } from '../caller/caller.ts'

const SERVICES = 'dev.usp-protocol.services'
const PROFILE_PATH = '/.well-known/usp'

/** The server under test, as its own profile describes it. */
export class Target {
  readonly origin: string
  readonly profileUrl: string
  readonly profile: Members
  readonly #endpoints: Map<string, string>

  constructor(origin: string, profile: Members) {
    this.origin = origin
    this.profileUrl = origin + PROFILE_PATH
    this.profile = profile
    this.#endpoints = endpointsOf(profile)
  }

  endpoint(binding: Binding): string {
    const endpoint = this.#endpoints.get(binding)
    if (endpoint === undefined) throw new Error(`The profile has no endpoint for ${binding}.`)
    return endpoint
  }

  get bindings(): Binding[] {
    return (['rest', 'mcp'] as const).filter((binding) => this.#endpoints.has(binding))
  }

  /** The first entry of a capability, such as `services.bookings`, or undefined if the business does not offer it. */
  capability(name: string): Members | undefined {
    const entries = asMembers(asMembers(this.profile.usp)?.capabilities)?.[`dev.usp-protocol.${name}`]
    return Array.isArray(entries) ? asMembers(entries[0]) : undefined
  }

  /** The names of the protocol's own capabilities that the business offers. */
  get ownCapabilities(): string[] {
    const names = Object.keys(asMembers(asMembers(this.profile.usp)?.capabilities) ?? {})
    return names.filter((name) => name.startsWith('dev.usp-protocol.'))
  }

  get mechanisms(): string[] {
    const mechanisms = asMembers(this.profile.authorization)?.accepted_mechanisms
    return Array.isArray(mechanisms) ? mechanisms.map(String) : []
  }

  get business(): Members {
    return asMembers(asMembers(this.profile.usp)?.business) ?? {}
  }
}

/** Reads the profile of a server. Throws a sentence for the person at the terminal if there is none. */
export async function discoverTarget(address: string): Promise<Target> {
  const { origin } = new URL(address)
  const url = origin + PROFILE_PATH
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(30_000) }).catch((error) => {
    throw new Error(`${url} does not answer (${error.cause?.message ?? error.message}). Is the server started?`)
  })
  if (response.status !== 200) throw new Error(`${url} answers HTTP ${response.status}. The profile must be there.`)
  const profile = asMembers(await response.json().catch(() => undefined))
  if (!profile) throw new Error(`${url} is not a JSON object. The profile must be one.`)
  return new Target(origin, profile)
}

function endpointsOf(profile: Members): Map<string, string> {
  const bindings = asMembers(asMembers(profile.usp)?.services)?.[SERVICES]
  const endpoints = new Map<string, string>()
  for (const binding of Array.isArray(bindings) ? bindings.map(asMembers) : [])
    if (typeof binding?.transport === 'string' && typeof binding.endpoint === 'string')
      endpoints.set(binding.transport, binding.endpoint.replace(/\/$/, ''))
  return endpoints
}
