import type { Agreed, Offered } from './capabilities.ts'
import type { DefaultLimits, StrangerLimit } from './limits.ts'
import type { PlatformProfile } from './types.generated.ts'

export interface Peer {
  address: string
  certificate?: CertificateIdentity
  /** Host name of the agent that signed the request (Web Bot Auth). The signature gives the caller no rights. */
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
  /** `offered` lists the capabilities of this business. `agreed` lists the capabilities that the platform has too. */
  offered: Offered
  agreed: Agreed
}

/** Prefixes of principals: staff members, visitors of the pages, and visitors who followed a link from an assistant. */
export const STAFF_PREFIX = 'staff:'
export const VISITOR_PREFIX = 'page:'
export const ASSISTED_VISITOR_PREFIX = 'assistant:'
/** Prefixes of the principals of assistants that a person has authorized. */
export const ASSISTANT_CLIENT_PREFIXES = ['client:app_', 'client:doc_']

/** Whether the caller is a staff member, at the desk or through a program. */
export const isStaff = ({ principal }: Pick<Caller, 'principal'>): boolean => principal.startsWith(STAFF_PREFIX)

export interface Caller {
  /**
   * The name of the caller in the database, such as `key:…`, `client:…`, `cert:…` or `staff:…`. A buyer of a platform
   * has `client:…/buy_…`. A visitor of the pages has `page:…` or `assistant:…`.
   */
  principal: string
  mechanism: string
  /** Address of the platform profile. Empty for staff members, visitors and assistants, who have none. */
  profile: string
  /**
   * The principals as which the caller may act. A key that a profile publishes may act as all keys of the profile.
   * Other callers may act only as their own principal.
   */
  identities: string[]
  /** Address of the profile that publishes the caller's key. All keys of one profile count as one caller. */
  publisher?: string
  /** Whether the server issues a credential for each hold, booking or entry that the caller creates. */
  credentials: boolean
  role?: Role
  /** The rights that a buyer gave to this platform or assistant. Absent for other callers. */
  link?: AccountLink
  /** The account of the buyer. Present only if the call concerns the buyer. */
  buyer?: string
  /** Extra limits. Present only for visitors, assistants, and keys that no profile publishes. */
  stranger?: Stranger
  locale?: string
  /** Digest of the form that the visitor submitted, or of the action of the assistant. */
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

/** An assistant and the person who authorized it. The server stores both together as one principal. */
export interface Assistant extends AccountLink {
  principal: string
}

/** The limits of a caller without a known identity: a visitor, an assistant, or a key that no profile publishes. */
export interface Stranger {
  network: string
  limits: DefaultLimits['strangers']
  /**
   * Digest of the profile address that the caller sends. Present only if the profile publishes keys, but not the key of
   * the caller.
   */
  profileDigest: string | undefined
  reportLimit(limit: StrangerLimit): void
}
