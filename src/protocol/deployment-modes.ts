import type { BusinessDefinition } from './types.generated.ts'

/** The settings that differ between the two deployment modes: `standalone`, and `ucp_native` inside UCP. */
export interface Deployment {
  /** Path of the business profile in this deployment mode. The path of the other mode answers 404. */
  profilePath: string
  agentHeaders: readonly string[]
  agentMembers: readonly AgentMember[]
  /** Arguments of a tool call that UCP defines. The server understands them, so it never reports them as ignored. */
  outerMembers: readonly string[]
  /**
   * Members of a platform profile that can list the platform's capabilities. The server uses the first member that
   * exists.
   */
  platformMembers: readonly PlatformMember[]
}

export type AgentMember = '_meta.usp.profile' | 'meta["ucp-agent"].profile'
/** A protocol that this server speaks, by the name of its member in profiles and answers. */
export type Protocol = 'usp' | 'ucp'
export type PlatformMember = Protocol

export const standalone: Deployment = {
  profilePath: '/.well-known/usp',
  agentHeaders: ['USP-Agent'],
  agentMembers: ['_meta.usp.profile'],
  outerMembers: [],
  platformMembers: ['usp'],
}

/** The settings for the deployment mode inside UCP. Callers may use the names of USP and of UCP. */
export const ucpNative: Deployment = {
  profilePath: '/.well-known/ucp',
  agentHeaders: ['USP-Agent', 'UCP-Agent'],
  agentMembers: ['_meta.usp.profile', 'meta["ucp-agent"].profile'],
  outerMembers: ['$.meta'],
  platformMembers: ['usp', 'ucp'],
}

export const deploymentOf = (definition: BusinessDefinition | undefined): Deployment =>
  definition?.deployment_mode === 'ucp_native' ? ucpNative : standalone
