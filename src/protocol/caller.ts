import type { Agreed, Offered } from './capabilities.ts'
import type { DefaultLimits, StrangerLimit } from './limits.ts'
import type { PlatformProfile } from './types.generated.ts'

export interface Peer {
  address: string
  certificate?: CertificateIdentity
  /** The host of the agent that signed the request (Web Bot Auth). It gives no rights. */
  agent?: string
}

/** Both members are SHA-256 digests, base64url. */
export interface CertificateIdentity {
  /** Digest of the issuer and the subject. */
  holder: string
  /** Digest of the whole certificate. */
  thumbprint: string
}

export interface Agent {
  url: string
  profile: PlatformProfile
  /** The capabilities of this business, and those that both sides have. */
  offered: Offered
  agreed: Agreed
}

/** Prefixes of principals: a staff member, a visitor of our own pages, and a visitor who came by a link of an assistant. */
export const STAFF_PREFIX = 'staff:'
export const VISITOR_PREFIX = 'page:'
export const ASSISTED_VISITOR_PREFIX = 'assistant:'
/** Prefixes of assistants that a person has authorized. */
export const ASSISTANT_CLIENT_PREFIXES = ['client:app_', 'client:doc_']

/** Whether the caller is a staff member, at the desk or through a program. */
export const isStaff = ({ principal }: Pick<Caller, 'principal'>): boolean => principal.startsWith(STAFF_PREFIX)

export interface Caller {
  /**
   * `key:…`, `client:…`, `client:…/buy_…` for a buyer, `cert:…`, `staff:…`, or `page:…` and `assistant:…` of a visitor of
   * our own pages.
   */
  principal: string
  mechanism: string
  /** Address of its platform profile; empty for staff members, visitors and assistants. */
  profile: string
  /** The principals it acts as: itself and, for a published key, the other keys of its profile. */
  identities: string[]
  /** The profile, when it publishes the key. All keys of one profile are one caller. */
  publisher?: string
  /** Whether the server issues a credential for each thing that the caller creates. */
  credentials: boolean
  role?: Role
  /** Only for a platform or an assistant that a buyer has authorized. */
  link?: AccountLink
  /** The buyer's account, when the call concerns that buyer. */
  buyer?: string
  /** Only for a key that no profile publishes, and for visitors. */
  stranger?: Stranger
  locale?: string
  /** Digest of the submitted form, or of the assistant's action. */
  sentForm?: string
}

/** From most rights to fewest. */
export const roles = ['owner', 'manager', 'staff', 'viewer'] as const
export type Role = (typeof roles)[number]

export interface AccountLink {
  buyer: string
  scopes: readonly string[]
  /** Whether the buyer has verified the email address of the account. */
  isProven: boolean
}

/** An assistant and the person who authorized it. Together they are one principal. */
export interface Assistant extends AccountLink {
  principal: string
}

/** A caller without a known identity: a key that no profile publishes, or a visitor. Its use is limited. */
export interface Stranger {
  network: string
  limits: DefaultLimits['strangers']
  /** Digest of the named profile's address, when that profile publishes keys and this key is not one of them. */
  profileDigest: string | undefined
  reportLimit(limit: StrangerLimit): void
}
