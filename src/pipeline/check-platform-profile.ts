import { parseDictionary } from 'structured-headers'
import type { PlatformProfiles } from '../core/profiles/platform-profiles.ts'
import { asRecord } from '../infra/util/object-members.ts'
import type { Agent } from '../protocol/caller-types.ts'
import { negotiate, offeredCapabilities } from '../protocol/capabilities.ts'
import type { Call, Operation } from '../protocol/define-operation.ts'
import type { Dependencies } from '../protocol/dependency-types.ts'
import { type AgentMember, deploymentOf, standalone } from '../protocol/deployment-modes.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { BusinessDefinition, PlatformProfile } from '../protocol/types.generated.ts'

export type AgentDependencies = Dependencies<'business' | 'operations'> & { profiles: PlatformProfiles }

export async function checkAgent(call: Call, { profiles, business, operations }: AgentDependencies): Promise<void> {
  const definition = await business.get()
  const deployment = deploymentOf(definition)
  call.deployment = deployment
  const url = readAgent(call)
  if (url === undefined) return
  const { protocol = 'usp' } = call.operation
  const members = deployment.platformMembers
  const profile = await profiles.get(url, { address: call.peer.address, members, protocol })
  call.agent = { url, profile, ...agreement(profile, operations, definition) }
}

interface Agreement extends Pick<Agent, 'offered' | 'agreed'> {
  operations: Operation[]
  definition: BusinessDefinition | undefined
}

/**
 * Caches the capabilities (parts of the protocol) that this business and a platform both support, by platform profile.
 * A cached value is valid only while the business definition and the operations stay the same.
 */
const agreements = new WeakMap<PlatformProfile, Agreement>()

function agreement(profile: PlatformProfile, operations: Operation[], definition: BusinessDefinition | undefined) {
  const cached = agreements.get(profile)
  if (cached?.definition === definition && cached?.operations === operations) return cached
  const offered = offeredCapabilities(operations, definition)
  const created = { offered, agreed: negotiate(offered, profile.usp.capabilities), operations, definition }
  agreements.set(profile, created)
  return created
}

/**
 * Finds the URL of the platform profile that the caller names. The URL is in a header on REST, and in the arguments of
 * an MCP tool call.
 */
function readAgent(call: Call): string | undefined {
  const { agentHeaders, agentMembers } = call.deployment ?? standalone
  const named =
    call.binding === 'mcp'
      ? agentMembers.flatMap((name) => readMember(name, call) ?? [])
      : [...agentHeaders.flatMap((name) => readHeader(name, call) ?? []), ...namedByTool(call)]
  // A call can name its platform profile in two places. The server refuses two different profiles. Otherwise, a proxy
  // could check the one platform while the server serves the other.
  if (new Set(named).size > 1)
    throw new ProtocolError('invalid_request', `${agentPlaces(call).join(' and ')} name different platforms.`)
  return named[0]
}

function namedByTool({ named }: Call): string[] {
  if (named?.profile === undefined) return []
  if (typeof named.profile !== 'string') throw malformed(`\`${OF_UCP_TOOL}\` must be a URL.`)
  return [named.profile]
}

const OF_UCP_TOOL = 'meta["ucp-agent"].profile'

export function agentPlaces(call: Call): string[] {
  const { agentHeaders, agentMembers } = call.deployment ?? standalone
  if (call.named) return [...agentHeaders, OF_UCP_TOOL].map((name) => `\`${name}\``)
  return (call.binding === 'mcp' ? agentMembers : agentHeaders).map((name) => `\`${name}\``)
}

/** Whether the arguments of a tool call contain the property `meta["ucp-agent"]`, with any value. */
export const namesUcpAgent = ({ input }: Call): boolean => ucpAgentIn(input) !== undefined

const ucpAgentIn = (input: unknown): unknown => asRecord(asRecord(input).meta)['ucp-agent']

const members: Record<AgentMember, (call: Call) => unknown> = {
  '_meta.usp.profile': ({ meta }) => asRecord(asRecord(meta).usp).profile,
  'meta["ucp-agent"].profile': (call) =>
    namesUcpAgent(call) ? (asRecord(ucpAgentIn(call.input)).profile ?? null) : undefined,
}

function readMember(name: AgentMember, call: Call): string | undefined {
  const profile = members[name](call)
  if (profile !== undefined && typeof profile !== 'string') throw malformed(`\`${name}\` must be a URL.`)
  return profile
}

function readHeader(name: string, { headers }: Call): string | undefined {
  const header = headers[name.toLowerCase()]
  if (header === undefined) return undefined
  try {
    const [profile] = parseDictionary(String(header)).get('profile') ?? []
    if (typeof profile === 'string') return profile
  } catch {
    // The header cannot be parsed, so it names no platform profile. The error below explains this to the caller.
  }
  throw malformed(`\`${name}\` must be a dictionary such as profile="https://agent.example/profile.json".`)
}

const malformed = (message: string) => new ProtocolError('invalid_profile_url', message)
