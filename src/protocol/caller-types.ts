import type { DefaultLimits, StrangerLimit } from './call-limit-types.ts'
import type { Agreed, Offered } from './capabilities.ts'
import type { PlatformProfile } from './types.generated.ts'

export interface Peer {
  address: string
  certificate?: CertificateIdentity
  /**
   * The host name of the agent that signed the request (Web Bot Auth). The host name appears in logs, but gives the
   * caller no rights.
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
   * `offered` lists the capabilities (protocol functions) that this business offers. `agreed` lists those that the
   * platform also supports.
   */
  offered: Offered
  agreed: Agreed
}

/**
 * The principal (stored name) of some callers begins with one of these prefixes. They stand for staff members, visitors
 * of the booking pages, and visits that an assistant started.
 */
export const STAFF_PREFIX = 'staff:'
export const VISITOR_PREFIX = 'page:'
export const ASSISTED_VISITOR_PREFIX = 'assistant:'
/** The principal (stored name) of an AI assistant that a person has authorized begins with one of these prefixes. */
export const ASSISTANT_CLIENT_PREFIXES = ['client:app_', 'client:doc_']

/** Whether the caller is a staff member, either on the staff pages or through a program. */
export const isStaff = ({ principal }: Pick<Caller, 'principal'>): boolean => principal.startsWith(STAFF_PREFIX)

export interface Caller {
  /**
   * The name of the caller in the database, such as `key:…`, `client:…`, `cert:…` or `staff:…`. A buyer of a platform
   * has `client:…/buy_…`. A visitor of the pages has `page:…` or `assistant:…`.
   */
  principal: string
  mechanism: string
  /**
   * Address of the caller's platform profile. Empty for staff members, visitors and assistants, because they have no
   * profile.
   */
  profile: string
  /**
   * The principals (stored names) that belong to the caller. If a platform profile publishes the caller's key, these
   * are all keys of this profile. Other callers have only one principal.
   */
  identities: string[]
  /** Address of the profile that publishes the caller's key. All keys of one profile count as one caller. */
  publisher?: string
  /** Whether the server issues a credential for each hold, booking or waitlist entry that the caller creates. */
  credentials: boolean
  role?: Role
  /** The permission that a buyer gave to this platform or assistant. Absent for other callers. */
  link?: AccountLink
  /** The account of the buyer. Present only if the account is linked and the operation concerns the buyer. */
  buyer?: string
  /**
   * Additional limits for visitors, for assistants, and for keys that no profile publishes. Absent for other callers.
   */
  stranger?: Stranger
  locale?: string
  /**
   * Digest of the form that the visitor submitted, or of the assistant's request. The server uses it to recognize a
   * duplicate.
   */
  sentForm?: string
}

/** The roles of staff members, from most rights to fewest. */
export const roles = ['owner', 'manager', 'staff', 'viewer'] as const
export type Role = (typeof roles)[number]

export interface AccountLink {
  buyer: string
  scopes: readonly string[]
  /** Whether the buyer has proven to own the email address of the account. */
  isProven: boolean
}

/** An AI assistant, with the person who authorized it. The server stores both together under one name (principal). */
export interface Assistant extends AccountLink {
  principal: string
}

/** The limits of a caller without a known identity: a visitor, an assistant, or a key that no profile publishes. */
export interface Stranger {
  network: string
  limits: DefaultLimits['strangers']
  /**
   * Digest of the profile address that the caller names. Present only if this profile publishes keys, but not the
   * caller's key.
   */
  profileDigest: string | undefined
  reportLimit(limit: StrangerLimit): void
}
