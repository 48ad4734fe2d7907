import { asMembers, type Members } from '../caller/answer.ts'
import type { Binding } from '../caller/caller.ts'

const SCHEDULING = 'dev.usp-protocol.services'
const SHOPPING = 'dev.ucp.shopping'
const OWN_NAMESPACE = 'dev.usp-protocol.'

/** `ucp_native`: the business takes part in the Universal Commerce Protocol (UCP), and has a profile of UCP alone. */
export type DeploymentMode = 'standalone' | 'ucp_native'

const profilePaths = { standalone: '/.well-known/usp', ucp_native: '/.well-known/ucp' } as const

/** The server under test, as its own profile describes it. */
export class Target {
  readonly origin: string
  readonly mode: DeploymentMode
  readonly profileUrl: string
  readonly profile: Members
  readonly #endpoints: Map<string, string>
  readonly #checkoutEndpoints: Map<string, string>

  constructor(origin: string, profile: Members, mode: DeploymentMode = 'standalone') {
    this.origin = origin
    this.mode = mode
    this.profileUrl = origin + profilePaths[mode]
    this.profile = profile
    this.#endpoints = endpointsOf(this.#bindingsOf(SCHEDULING))
    this.#checkoutEndpoints = endpointsOf(this.#bindingsOf(SHOPPING))
  }

  get isUcpNative(): boolean {
    return this.mode === 'ucp_native'
  }

  /** The member `usp` of the profile. In the mode UCP-Native, the member `ucp` has the same contents. */
  get offer(): Members {
    return asMembers(this.isUcpNative ? this.profile.ucp : this.profile.usp) ?? {}
  }

  /** The version of this protocol. A profile of UCP has the version of UCP, and its scheduling bindings have this one. */
  get version(): string {
    const [first] = this.#bindingsOf(SCHEDULING)
    return String(this.isUcpNative ? first?.version : this.offer.version)
  }

  /**
   * The authorization policy. In the mode UCP-Native, it is in the profile under `services`, in the entry for scheduling.
   */
  get policy(): Members | undefined {
    if (!this.isUcpNative) return asMembers(this.profile.authorization)
    const [first] = this.#bindingsOf(SCHEDULING)
    return asMembers(asMembers(first?.config)?.authorization)
  }

  endpoint(binding: Binding): string {
    const endpoint = this.#endpoints.get(binding)
    if (endpoint === undefined) throw new Error(`The profile has no endpoint for ${binding}.`)
    return endpoint
  }

  /** The endpoint of the UCP checkout, or undefined if the profile has none for this binding. */
  checkoutEndpoint(binding: Binding): string | undefined {
    return this.#checkoutEndpoints.get(binding)
  }

  get bindings(): Binding[] {
    return (['rest', 'mcp'] as const).filter((binding) => this.#endpoints.has(binding))
  }

  /** REST, or MCP if the business does not offer REST. */
  get firstBinding(): Binding {
    const [first] = this.bindings
    if (first === undefined) throw new Error(`${this.profileUrl} has no REST or MCP endpoint of ${SCHEDULING}.`)
    return first
  }

  /**
   * The first entry of a capability, or undefined if the business does not offer it. A name of this protocol is short,
   * such as `services.bookings`. A name of UCP is whole, such as `dev.ucp.shopping.checkout`.
   */
  capability(name: string): Members | undefined {
    const entries = this.capabilities[name.startsWith('dev.ucp.') ? name : OWN_NAMESPACE + name]
    return Array.isArray(entries) ? asMembers(entries[0]) : undefined
  }

  /** All capabilities of the profile, by their whole names. */
  get capabilities(): Members {
    return asMembers(this.offer.capabilities) ?? {}
  }

  /** The names of the protocol's own capabilities that the business offers. */
  get ownCapabilities(): string[] {
    return Object.keys(this.capabilities).filter((name) => name.startsWith(OWN_NAMESPACE))
  }

  get mechanisms(): string[] {
    const mechanisms = this.policy?.accepted_mechanisms
    return Array.isArray(mechanisms) ? mechanisms.map(String) : []
  }

  /** The algorithms of proofs in the profile. Undefined without such a list. */
  get listedProofAlgorithms(): string[] | undefined {
    const algorithms = this.policy?.pop_signing_alg_values_supported
    return Array.isArray(algorithms) ? algorithms.map(String) : undefined
  }

  get business(): Members {
    return asMembers(this.offer.business) ?? {}
  }

  #bindingsOf(service: string): Members[] {
    const bindings = asMembers(this.offer.services)?.[service]
    return Array.isArray(bindings) ? bindings.map((binding) => asMembers(binding) ?? {}) : []
  }
}

/** Reads the profile of a server. Throws a sentence for the person at the terminal if there is none. */
export async function discoverTarget(address: string): Promise<Target> {
  const { origin } = new URL(address)
  const standalone = await readProfile(origin, 'standalone')
  if (standalone.profile) return new Target(origin, standalone.profile)
  const native = await readProfile(origin, 'ucp_native')
  if (native.profile && asMembers(asMembers(native.profile.ucp)?.services)?.[SCHEDULING])
    return new Target(origin, native.profile, 'ucp_native')
  const ofUcp = native.profile ? `${native.url} has no service ${SCHEDULING}.` : native.fault
  throw new Error(`${standalone.fault} ${ofUcp} The profile must be at one of the two addresses.`)
}

type Read = { url: string } & ({ profile: Members; fault?: never } | { profile?: never; fault: string })

async function readProfile(origin: string, mode: DeploymentMode): Promise<Read> {
  const url = origin + profilePaths[mode]
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(30_000) }).catch((error) => {
    throw new Error(`${url} does not answer (${error.cause?.message ?? error.message}). Is the server started?`)
  })
  if (response.status !== 200) return { url, fault: `${url} answers HTTP ${response.status}.` }
  const profile = asMembers(await response.json().catch(() => undefined))
  return profile ? { url, profile } : { url, fault: `${url} is not a JSON object.` }
}

function endpointsOf(bindings: Members[]): Map<string, string> {
  const endpoints = new Map<string, string>()
  for (const { transport, endpoint } of bindings)
    if (typeof transport === 'string' && typeof endpoint === 'string')
      endpoints.set(transport, endpoint.replace(/\/$/, ''))
  return endpoints
}
