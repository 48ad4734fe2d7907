import type { BusinessDefinition } from './types.generated.ts'

/** The settings that differ between the deployment modes `standalone` and `ucp_native`. */
export interface Deployment {
  /** Path of the business profile. The server answers 404 at the path of the other deployment mode. */
  profilePath: string
  agentHeaders: readonly string[]
  agentMembers: readonly AgentMember[]
  /** Arguments of a tool call that belong to the enclosing protocol, UCP. The server never reports them as ignored. */
  outerMembers: readonly string[]
  /** Members of a platform profile that can list its capabilities. The server uses the first member that is present. */
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

/** The deployment mode inside UCP. Callers can use the names of USP and the names of UCP. */
export const ucpNative: Deployment = {
  profilePath: '/.well-known/ucp',
  agentHeaders: ['USP-Agent', 'UCP-Agent'],
  agentMembers: ['_meta.usp.profile', 'meta["ucp-agent"].profile'],
  outerMembers: ['$.meta'],
  platformMembers: ['usp', 'ucp'],
}

export const deploymentOf = (definition: BusinessDefinition | undefined): Deployment =>
  definition?.deployment_mode === 'ucp_native' ? ucpNative : standalone
