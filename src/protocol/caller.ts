import type { StrangerLimit, UsualLimits } from './limits.ts'
import type { Agreed, Offered } from './negotiate.ts'
import type { PlatformProfile } from './types.generated.ts'

/** The other end of the connection. */
export interface Peer {
  address: string
  /** A client certificate that was verified. */
  certificate?: ShownCertificate
  /** The host whose agent it is, by a signature as web bots make it. It may do no more for that. */
  agent?: string
}

/** Both are SHA-256, base64url. */
export interface ShownCertificate {
  /** Of whom it names, and who names it so. */
  holder: string
  /** Of the whole certificate. */
  thumbprint: string
}

/** The platform whose profile the caller names. */
export interface Agent {
  url: string
  profile: PlatformProfile
  /** What this business has, and what of it both have. */
  offered: Offered
  agreed: Agreed
}

/** How the principal of somebody begins who works here, who books on our own pages, and who does so by an assistant's link. */
export const STAFF = 'staff:'
export const VISITOR = 'page:'
export const ASSISTED = 'assistant:'
/** The same of assistants that somebody lets act for them. */
export const OF_ASSISTANTS = ['client:app_', 'client:doc_']

/** Whoever works here, at the desk or through a program. */
export const isStaff = ({ principal }: Pick<Caller, 'principal'>): boolean => principal.startsWith(STAFF)

/** Who was proven to call. */
export interface Caller {
  /** `key:…`, `client:…`, `client:…/buy_…` for a buyer, `cert:…`, `staff:…`, or `page:…` and `assistant:…` of a visitor of our own pages. */
  principal: string
  mechanism: string
  /** Address of its platform profile; empty for staff. */
  profile: string
  /** The principals it acts as: itself and, for a key its profile publishes, the other keys of that profile. */
  identities: string[]
  /** The profile, where it publishes the key: all its keys are one caller. */
  publisher?: string
  /** Whether what it creates comes with a credential, since those are accepted here. */
  credentials: boolean
  /** Of a person of the business. */
  role?: Role
  /** Of a platform that a buyer let act. */
  link?: Link
  /** The account of that buyer, where the call is about what buyers have here. */
  buyer?: string
  /** Of a key that nobody publishes. */
  stranger?: Stranger
  /** The language that somebody on our own pages is spoken to in, BCP 47. */
  locale?: string
  /** Digest of the form that they sent, or of what their assistant did. */
  sentForm?: string
}

/** From who may do everything to who may only look. */
export const roles = ['owner', 'manager', 'staff', 'viewer'] as const
export type Role = (typeof roles)[number]

/** What a buyer let a platform do. */
export interface Link {
  buyer: string
  scopes: readonly string[]
  /** Whether the buyer has shown that the address of the account is theirs. */
  isProven: boolean
}

/** An assistant and the person who lets it act: together they are a principal. */
export interface Assistant extends Link {
  principal: string
}

/** A caller whose key is of its own making and published by nobody. It is served, but keys are cheap. */
export interface Stranger {
  /** From where it calls. */
  network: string
  limits: UsualLimits['strangers']
  /** The profile it names, in short, where that publishes keys of which this is none. */
  besideKeys: string | undefined
  /** To be told when a limit is met. */
  met(limit: StrangerLimit): void
}
