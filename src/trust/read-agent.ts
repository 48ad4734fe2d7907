import { parseDictionary } from 'structured-headers'
import { ProtocolError } from '../protocol/errors.ts'
import type { Call } from '../protocol/operation.ts'

/** The profile address that the caller names: in `USP-Agent` on REST, in `_meta.usp.profile` of a tool call. */
export function readAgent({ binding, headers, meta }: Call): string | undefined {
  if (binding === 'mcp') return readMeta(Object(Object(meta).usp).profile)
  const header = headers['usp-agent']
  return header === undefined ? undefined : readHeader(String(header))
}

function readMeta(profile: unknown): string | undefined {
  if (profile !== undefined && typeof profile !== 'string') throw malformed('`_meta.usp.profile` must be a URL.')
  return profile
}

function readHeader(header: string): string {
  try {
    const [profile] = parseDictionary(header).get('profile') ?? []
    if (typeof profile === 'string') return profile
  } catch {
    // Told below: an unreadable dictionary names no profile.
  }
  throw malformed('`USP-Agent` must be a dictionary such as profile="https://agent.example/profile.json".')
}

const malformed = (message: string) => new ProtocolError('invalid_profile_url', message)
