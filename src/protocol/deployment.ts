import type { BusinessDefinition } from './types.generated.ts'

/** What differs between the two ways in which platforms find a business. */
export interface Deployment {
  /** Where the business publishes its profile; the other address has none. */
  profilePath: string
  /** The headers that may name the platform that calls. */
  agentHeaders: readonly string[]
  /** The arguments of a tool call that may name it. */
  agentMembers: readonly AgentMember[]
  /** Arguments of a tool call that are for the protocol around this one, whatever is in them. */
  outerMembers: readonly string[]
  /** The members of a platform's profile that may hold its capabilities, the first one there is counts. */
  platformMembers: readonly PlatformMember[]
}

export type AgentMember = '_meta.usp.profile' | 'meta["ucp-agent"].profile'
export type PlatformMember = 'usp' | 'ucp'

export const standalone: Deployment = {
  profilePath: '/.well-known/usp',
  agentHeaders: ['USP-Agent'],
  agentMembers: ['_meta.usp.profile'],
  outerMembers: [],
  platformMembers: ['usp'],
}

/** What names a platform in this protocol does so wherever the profile stands. */
export const ucpNative: Deployment = {
  profilePath: '/.well-known/ucp',
  agentHeaders: ['USP-Agent', 'UCP-Agent'],
  agentMembers: ['_meta.usp.profile', 'meta["ucp-agent"].profile'],
  outerMembers: ['$.meta'],
  platformMembers: ['usp', 'ucp'],
}

export const deploymentOf = (definition: BusinessDefinition | undefined): Deployment =>
  definition?.deployment_mode === 'ucp_native' ? ucpNative : standalone
