import type { BusinessDefinition } from './types.generated.ts'

/**
 * The settings of a deployment mode: `standalone`, or `ucp_native` for a business in the Universal Commerce Protocol
 * (UCP).
 */
export interface Deployment {
  /** Path of the business profile in this deployment mode. The profile path of the other mode then answers 404. */
  profilePath: string
  agentHeaders: readonly string[]
  agentMembers: readonly AgentMember[]
  /**
   * Arguments of a tool call that the Universal Commerce Protocol (UCP) defines. The server understands these
   * arguments, so it never reports them as ignored.
   */
  outerMembers: readonly string[]
  /**
   * Properties of a platform profile that can list the platform's capabilities. The server uses the first property that
   * exists.
   */
  platformMembers: readonly PlatformMember[]
}

export type AgentMember = '_meta.usp.profile' | 'meta["ucp-agent"].profile'
/**
 * A protocol that this server supports. In profiles and answers, the JSON property of the protocol has the same name.
 */
export type Protocol = 'usp' | 'ucp'
export type PlatformMember = Protocol

export const standalone: Deployment = {
  profilePath: '/.well-known/usp',
  agentHeaders: ['USP-Agent'],
  agentMembers: ['_meta.usp.profile'],
  outerMembers: [],
  platformMembers: ['usp'],
}

/**
 * The settings for a business in the Universal Commerce Protocol (UCP). In this mode, callers may use the header names
 * of USP and of UCP.
 */
export const ucpNative: Deployment = {
  profilePath: '/.well-known/ucp',
  agentHeaders: ['USP-Agent', 'UCP-Agent'],
  agentMembers: ['_meta.usp.profile', 'meta["ucp-agent"].profile'],
  outerMembers: ['$.meta'],
  platformMembers: ['usp', 'ucp'],
}

export const deploymentOf = (definition: BusinessDefinition | undefined): Deployment =>
  definition?.deployment_mode === 'ucp_native' ? ucpNative : standalone
