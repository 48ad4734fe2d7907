import type { PlatformProfiles } from '../core/profiles/platform-profiles.ts'
import type { Agent } from '../protocol/caller.ts'
import type { Dependencies } from '../protocol/dependencies.ts'
import { deploymentOf } from '../protocol/deployment.ts'
import { negotiate } from '../protocol/negotiate.ts'
import type { Call, Operation } from '../protocol/operation.ts'
import { offeredCapabilities } from '../protocol/served-capabilities.ts'
import type { BusinessDefinition, PlatformProfile } from '../protocol/types.generated.ts'
import { readAgent } from './read-agent.ts'

export type AgentDependencies = Dependencies<'business' | 'operations'> & { profiles: PlatformProfiles }

export async function checkAgent(call: Call, { profiles, business, operations }: AgentDependencies): Promise<void> {
  const definition = await business.get()
  const deployment = deploymentOf(definition)
  call.deployment = deployment
  const url = readAgent(call)
  if (url === undefined) return
  const profile = await profiles.get(url, { address: call.peer.address, members: deployment.platformMembers })
  call.agent = { url, profile, ...agreement(profile, operations, definition) }
}

interface Agreement extends Pick<Agent, 'offered' | 'agreed'> {
  operations: Operation[]
  definition: BusinessDefinition | undefined
}

/** Negotiated capabilities, cached by profile. The entry is valid for the same definition and operations only. */
const agreements = new WeakMap<PlatformProfile, Agreement>()

function agreement(profile: PlatformProfile, operations: Operation[], definition: BusinessDefinition | undefined) {
  const known = agreements.get(profile)
  if (known?.definition === definition && known?.operations === operations) return known
  const offered = offeredCapabilities(operations, definition)
  const made = { offered, agreed: negotiate(offered, profile.usp.capabilities), operations, definition }
  agreements.set(profile, made)
  return made
}
