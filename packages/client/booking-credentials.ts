import { asRecord } from '../../src/infra/util/object-members.ts'
import type { BookingScopedCredential } from '../../src/protocol/types.generated.ts'
import type { Members } from './transport.ts'

/**
 * The credentials that the business issued to the platform. Each credential gives access to one hold, booking or
 * waitlist entry.
 */
export interface Credentials {
  /** Stores the credential in an answer under the id of the hold, booking or waitlist entry. */
  keep(payload: Members): void
  /** Finds the stored credential that a call about a hold, booking or waitlist entry must send. */
  find(resource: unknown, tool: string, now?: Date): BookingScopedCredential | undefined
  /** Deletes the credential of a hold, booking or waitlist entry. Returns whether a credential was stored. */
  drop(resource: unknown): boolean
}

const MEMBERS = new Set(['value', 'expires_at', 'cnf', 'scope'])

/** Stores credentials in memory. Ignores credentials that are bound to another key than the platform's key. */
export function credentialsOf(thumbprint: string): Credentials {
  const credentials = new Map<unknown, BookingScopedCredential>()
  return {
    keep({ booking_scoped_credential: issued, hold, booking, entry }) {
      const { id } = asRecord(booking ?? entry ?? hold)
      if (typeof id !== 'string' || !isCredential(issued)) return
      if (issued.cnf === undefined || issued.cnf.jkt === thumbprint) credentials.set(id, issued)
    },
    find(resource, tool, now = new Date()) {
      const credential = credentials.get(resource)
      if (!credential || new Date(credential.expires_at) <= now) return undefined
      return (credential.scope?.includes(tool) ?? true) ? credential : undefined
    },
    drop: (resource) => credentials.delete(resource),
  }
}

/**
 * Whether the value is a credential whose members are all known. The client ignores other credentials, because an
 * unknown member can change the meaning of a credential.
 */
const isCredential = (issued: unknown): issued is BookingScopedCredential =>
  typeof asRecord(issued).value === 'string' && Object.keys(asRecord(issued)).every((name) => MEMBERS.has(name))
