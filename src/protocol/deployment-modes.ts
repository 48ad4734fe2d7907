import type { BusinessDefinition } from './types.generated.ts'

/** The settings of a deployment mode. There are two modes: `standalone`, and `ucp_native` for a business inside UCP. */
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
/** A protocol that this server supports. The value is also the member name of the protocol in profiles and answers. */
export type Protocol = 'usp' | 'ucp'
export type PlatformMember = Protocol

export const standalone: Deployment = {
  profilePath: '/.well-known/usp',
  agentHeaders: ['USP-Agent'],
  agentMembers: ['_meta.usp.profile'],
  outerMembers: [],
  platformMembers: ['usp'],
}

/** The settings for the deployment mode inside UCP. In this mode, callers may use the names of USP and of UCP. */
export const ucpNative: Deployment = {
  profilePath: '/.well-known/ucp',
  agentHeaders: ['USP-Agent', 'UCP-Agent'],
  agentMembers: ['_meta.usp.profile', 'meta["ucp-agent"].profile'],
  outerMembers: ['$.meta'],
  platformMembers: ['usp', 'ucp'],
}

export const deploymentOf = (definition: BusinessDefinition | undefined): Deployment =>
  definition?.deployment_mode === 'ucp_native' ? ucpNative : standalone
