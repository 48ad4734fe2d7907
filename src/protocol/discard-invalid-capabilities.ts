import { asRecord } from '../infra/util/object-members.ts'
import { foreignMember } from './check-capability-origin.ts'
import { shape } from './json-schemas.ts'
import { compile } from './schema-validator.ts'

/** A capability entry that the server removed from a platform profile, and the reason. */
export interface DiscardedEntry {
  capability: string
  why: string
}

const USP = 'dev.usp-protocol.'
/** The server reports at most this many removed capability entries, because each entry becomes a line in the log. */
const MOST_DISCARDED = 20
const LONGEST_NAME = 100

const isComplete = compile(shape('ProfileCapabilityEntry'))
const isEntry = compile(shape('CapabilityEntry'))

/**
 * Removes invalid capability entries (supported parts of the protocol) from a profile, and returns the reasons. The
 * documents of an entry must be on the web host of its namespace. In a profile of the Universal Commerce Protocol
 * (UCP), USP entries must also be complete. A value that is not a list stays, because the JSON Schema of the profile
 * reports it.
 */
export function withoutForeignEntries(
  document: unknown,
  member: 'usp' | 'ucp',
): { document: unknown; discarded: DiscardedEntry[] } {
  const body = asRecord(document)[member]
  const offered = asRecord(body).capabilities
  if (typeof offered !== 'object' || offered === null || Array.isArray(offered)) return { document, discarded: [] }
  const discarded: DiscardedEntry[] = []
  const capabilities = Object.entries(offered).flatMap(([name, entries]): [string, unknown][] => {
    if (!Array.isArray(entries)) return [[name, entries]]
    const kept = entries.filter((entry: unknown) => {
      const why = faultOf(name, entry, member)
      if (why !== undefined && discarded.length < MOST_DISCARDED)
        discarded.push({ capability: name.slice(0, LONGEST_NAME).toWellFormed(), why })
      return why === undefined && (member === 'usp' || isEntry(entry))
    })
    return kept.length > 0 || entries.length === 0 ? [[name, kept]] : []
  })
  return {
    document: {
      ...asRecord(document),
      [member]: { ...asRecord(body), capabilities: Object.fromEntries(capabilities) },
    },
    discarded,
  }
}

function faultOf(name: string, entry: unknown, member: 'usp' | 'ucp'): string | undefined {
  const foreign = foreignMember(name, entry)
  if (foreign) return `its ${foreign} is not at the authority of its namespace`
  return member === 'ucp' && name.startsWith(USP) && !isComplete(entry)
    ? 'it lacks a valid version, spec or schema'
    : undefined
}
