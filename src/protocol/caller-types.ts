import type { DefaultLimits, StrangerLimit } from './call-limit-types.ts'
import type { Agreed, Offered } from './capabilities.ts'
import type { PlatformProfile } from './types.generated.ts'

export interface Peer {
  address: string
  certificate?: CertificateIdentity
  /**
   * Host name of the bot operator that signed the request (Web Bot Auth). The server writes it to logs, but it gives
   * the caller no rights.
   */
  agent?: string
}

/** Identifies a client certificate of a caller by two SHA-256 digests in base64url. */
export interface CertificateIdentity {
  /** Digest of the certificate's issuer and subject. */
  holder: string
  /** Digest of the whole client certificate. */
  thumbprint: string
}

export interface Agent {
  url: string
  profile: PlatformProfile
  /**
   * Capabilities are named parts of the protocol, such as bookings. `offered` lists the capabilities of this business.
   * `agreed` lists those that the platform also supports.
   */
  offered: Offered
  agreed: Agreed
}

/**
 * Prefixes of principals (stored names of callers). They mark staff members, visitors of the booking pages, and visits
 * that an AI assistant started.
 */
export const STAFF_PREFIX = 'staff:'
export const VISITOR_PREFIX = 'page:'
export const ASSISTED_VISITOR_PREFIX = 'assistant:'
/** Prefixes of the principals (stored names) of AI assistants that a person has authorized. */
export const ASSISTANT_CLIENT_PREFIXES = ['client:app_', 'client:doc_']

/** Whether the caller is a staff member, who uses either the staff pages or a program. */
export const isStaff = ({ principal }: Pick<Caller, 'principal'>): boolean => principal.startsWith(STAFF_PREFIX)

export interface Caller {
  /**
   * The stored name of the caller, such as `key:…`, `client:…`, `cert:…` or `staff:…`. A buyer who uses a platform has
   * `client:…/buy_…`. A visitor of the booking pages has `page:…` or `assistant:…`.
   */
  principal: string
  mechanism: string
  /**
   * URL of the caller's platform profile. Empty for staff members, visitors and assistants, because they have no
   * profile.
   */
  profile: string
  /**
   * All principals (stored names) of the caller. If a platform profile publishes the caller's key, the list contains
   * all keys of this profile. Other callers have only one principal.
   */
  identities: string[]
  /**
   * URL of the platform profile that publishes the caller's key. The server treats all keys of one profile as one
   * caller.
   */
  publisher?: string
  /**
   * Whether the server gives the caller an access secret (credential) for each hold, booking or waitlist entry that the
   * caller creates.
   */
  credentials: boolean
  role?: Role
  /** The permission that a buyer gave this platform or assistant to use their account. Absent for other callers. */
  link?: AccountLink
  /** Id of the buyer's account. Present only if the buyer linked the account and the operation concerns the buyer. */
  buyer?: string
  /** Extra limits for callers without a known identity: visitors, assistants, and keys that no profile publishes. */
  stranger?: Stranger
  locale?: string
  /**
   * Digest of the form that the visitor submitted, or of the assistant's request. An equal digest shows that a call is
   * a duplicate.
   */
  sentForm?: string
}

/** The roles of staff members, from most rights to fewest. */
export const roles = ['owner', 'manager', 'staff', 'viewer'] as const
export type Role = (typeof roles)[number]

export interface AccountLink {
  buyer: string
  scopes: readonly string[]
  /** Whether the buyer has proven that the email address of the account is theirs. */
  isProven: boolean
}

/** An AI assistant and the person who authorized it. The server stores the pair under one name (principal). */
export interface Assistant extends AccountLink {
  principal: string
}

/** A caller without a known identity, and their limits: a visitor, an assistant, or a key that no profile publishes. */
export interface Stranger {
  network: string
  limits: DefaultLimits['strangers']
  /**
   * Digest of the profile URL that the caller sent. Present only if this profile publishes keys, but not the caller's
   * key.
   */
  profileDigest: string | undefined
  reportLimit(limit: StrangerLimit): void
}
