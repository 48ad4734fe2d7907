import type { Agreed, Offered } from './capabilities.ts'
import type { DefaultLimits, StrangerLimit } from './limits.ts'
import type { PlatformProfile } from './types.generated.ts'

export interface Peer {
  address: string
  certificate?: CertificateIdentity
  /** The host of the agent that signed the request (Web Bot Auth). The signature gives no rights. */
  agent?: string
}

/** The identity of a client certificate, as two SHA-256 digests in base64url. */
export interface CertificateIdentity {
  /** Digest of the issuer and the subject of the certificate. */
  holder: string
  /** Digest of the whole certificate. */
  thumbprint: string
}

export interface Agent {
  url: string
  profile: PlatformProfile
  /** The capabilities that this business offers (`offered`), and those that the platform has too (`agreed`). */
  offered: Offered
  agreed: Agreed
}

/**
 * Prefixes of principals: for staff members, for visitors of the pages, and for visitors who came by a link of an
 * assistant.
 */
export const STAFF_PREFIX = 'staff:'
export const VISITOR_PREFIX = 'page:'
export const ASSISTED_VISITOR_PREFIX = 'assistant:'
/** Prefixes of the principals of assistants that a person has authorized. */
export const ASSISTANT_CLIENT_PREFIXES = ['client:app_', 'client:doc_']

/** Whether the caller is a staff member, at the desk or through a program. */
export const isStaff = ({ principal }: Pick<Caller, 'principal'>): boolean => principal.startsWith(STAFF_PREFIX)

export interface Caller {
  /**
   * The name of the caller in the database: `key:…`, `client:…`, `cert:…` or `staff:…`; `client:…/buy_…` for a buyer of
   * a platform; `page:…` or `assistant:…` for a visitor of the pages.
   */
  principal: string
  mechanism: string
  /** Address of the platform profile of the caller; empty for staff members, visitors and assistants. */
  profile: string
  /**
   * The principals as which the caller may act: its own and, for a published key, those of the other keys of its
   * profile.
   */
  identities: string[]
  /** The address of the profile, if the profile publishes the key. All keys of one profile count as one caller. */
  publisher?: string
  /** Whether the server issues a credential for each hold, booking or entry that the caller creates. */
  credentials: boolean
  role?: Role
  /** The permission of a buyer, only for a platform or assistant that the buyer has authorized. */
  link?: AccountLink
  /** The account of the buyer, if the call concerns the buyer. */
  buyer?: string
  /** The limits of the caller, only for visitors and for keys that no profile publishes. */
  stranger?: Stranger
  locale?: string
  /** Digest of the submitted form, or of the action of the assistant. */
  sentForm?: string
}

/** The roles of staff members, from most rights to fewest. */
export const roles = ['owner', 'manager', 'staff', 'viewer'] as const
export type Role = (typeof roles)[number]

export interface AccountLink {
  buyer: string
  scopes: readonly string[]
  /** Whether the buyer has verified the email address of the account. */
  isProven: boolean
}

/** An assistant and the person who authorized it. Both together are one principal. */
export interface Assistant extends AccountLink {
  principal: string
}

/** The limits of a caller without a known identity: a visitor, or a key that no profile publishes. */
export interface Stranger {
  network: string
  limits: DefaultLimits['strangers']
  /** Digest of the address of the named profile, if the profile publishes keys but not the key of the caller. */
  profileDigest: string | undefined
  reportLimit(limit: StrangerLimit): void
}
