import { parseDictionary } from 'structured-headers'
import { asRecord } from '../infra/util/as-record.ts'
import { type AgentMember, standalone } from '../protocol/deployment.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Call } from '../protocol/operation.ts'

/** The profile address that the caller names: in an agent header on REST, in the arguments of a tool call. */
export function readAgent(call: Call): string | undefined {
  const { agentHeaders, agentMembers } = deploymentOf(call)
  const named =
    call.binding === 'mcp'
      ? agentMembers.flatMap((name) => readMember(name, call) ?? [])
      : agentHeaders.flatMap((name) => readHeader(name, call) ?? [])
  // Preferring one of them would be unsafe: a proxy that knows only the other would check another platform than this server
  // does.
  if (new Set(named).size > 1)
    throw new ProtocolError('invalid_request', `${agentPlaces(call).join(' and ')} name different platforms.`)
  return named[0]
}

export function agentPlaces(call: Call): string[] {
  const { agentHeaders, agentMembers } = deploymentOf(call)
  return (call.binding === 'mcp' ? agentMembers : agentHeaders).map((name) => `\`${name}\``)
}

const deploymentOf = ({ deployment = standalone }: Call) => deployment

/** Whether the arguments contain `meta["ucp-agent"]`, with any value. */
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
    // An unreadable dictionary names no profile; the error below says so.
  }
  throw malformed(`\`${name}\` must be a dictionary such as profile="https://agent.example/profile.json".`)
}

const malformed = (message: string) => new ProtocolError('invalid_profile_url', message)
