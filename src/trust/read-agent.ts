import { parseDictionary } from 'structured-headers'
import type { Deployment } from '../protocol/deployment.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Call } from '../protocol/operation.ts'

/** The profile address that the caller names: in an agent header on REST, in `_meta.usp.profile` of a tool call. */
export function readAgent({ binding, headers, meta }: Call, { agentHeaders }: Deployment): string | undefined {
  if (binding === 'mcp') return readMeta(Object(Object(meta).usp).profile)
  const named = agentHeaders.flatMap((name) => {
    const header = headers[name.toLowerCase()]
    return header === undefined ? [] : [readHeader(name, String(header))]
  })
  // To prefer one of them would let a proxy that knows only the other judge by a platform that is not the caller's.
  if (new Set(named).size > 1)
    throw new ProtocolError('invalid_request', `${quoted(agentHeaders).join(' and ')} name different platforms.`)
  return named[0]
}

export const quoted = (headers: readonly string[]) => headers.map((name) => `\`${name}\``)

function readMeta(profile: unknown): string | undefined {
  if (profile !== undefined && typeof profile !== 'string') throw malformed('`_meta.usp.profile` must be a URL.')
  return profile
}

function readHeader(name: string, header: string): string {
  try {
    const [profile] = parseDictionary(header).get('profile') ?? []
    if (typeof profile === 'string') return profile
  } catch {
    // Told below: an unreadable dictionary names no profile.
  }
  throw malformed(`\`${name}\` must be a dictionary such as profile="https://agent.example/profile.json".`)
}

const malformed = (message: string) => new ProtocolError('invalid_profile_url', message)
