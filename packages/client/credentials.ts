import { recordOf } from '../../src/infra/util/record-of.ts'
import type { BookingScopedCredential } from '../../src/protocol/types.generated.ts'
import type { Members } from './transport.ts'

/** The credentials that the business issued, each for one hold, booking or waitlist entry. */
export interface Credentials {
  /** Keeps the credential that an answer came with, under the id of the thing it came with. */
  keep(payload: Members): void
  /** The credential to show when this tool is called on this thing. */
  find(resource: unknown, tool: string, now?: Date): BookingScopedCredential | undefined
  /** Forgets the credential of a thing, and says whether there was one. */
  drop(resource: unknown): boolean
}

const MEMBERS = new Set(['value', 'expires_at', 'cnf', 'scope'])

/** Only what is bound to our own key, or to none, is of use. */
export function credentialsOf(thumbprint: string): Credentials {
  const kept = new Map<unknown, BookingScopedCredential>()
  return {
    keep({ booking_scoped_credential: issued, hold, booking, entry }) {
      const { id } = recordOf(booking ?? entry ?? hold)
      if (typeof id !== 'string' || !isCredential(issued)) return
      if (issued.cnf === undefined || issued.cnf.jkt === thumbprint) kept.set(id, issued)
    },
    find(resource, tool, now = new Date()) {
      const credential = kept.get(resource)
      if (!credential || new Date(credential.expires_at) <= now) return undefined
      return (credential.scope?.includes(tool) ?? true) ? credential : undefined
    },
    drop: (resource) => kept.delete(resource),
  }
}

/** It is a closed object: one with a member that nobody knows may mean something that nobody here understands. */
const isCredential = (issued: unknown): issued is BookingScopedCredential =>
  typeof recordOf(issued).value === 'string' && Object.keys(recordOf(issued)).every((name) => MEMBERS.has(name))
