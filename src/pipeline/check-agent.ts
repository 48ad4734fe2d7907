import type { PlatformProfiles } from '../core/profiles/platform-profiles.ts'
import type { Agent } from '../protocol/caller.ts'
import { deploymentOf } from '../protocol/deployment.ts'
import type { Means } from '../protocol/means.ts'
import { negotiate } from '../protocol/negotiate.ts'
import type { Call, Operation } from '../protocol/operation.ts'
import { offeredCapabilities } from '../protocol/served-capabilities.ts'
import type { BusinessDefinition, PlatformProfile } from '../protocol/types.generated.ts'
import { readAgent } from './read-agent.ts'

/** What is needed to agree with a platform. */
export type AgentMeans = Means<'business' | 'operations'> & { profiles: PlatformProfiles }

/** Reads the profile of the platform the caller names, if it names one, and agrees with it on capabilities. */
export async function checkAgent(call: Call, { profiles, business, operations }: AgentMeans): Promise<void> {
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

/** What was agreed on with a profile, and with what of ours. */
const agreements = new WeakMap<PlatformProfile, Agreement>()

function agreement(profile: PlatformProfile, operations: Operation[], definition: BusinessDefinition | undefined) {
  const known = agreements.get(profile)
  if (known?.definition === definition && known?.operations === operations) return known
  const offered = offeredCapabilities(operations, definition)
  const made = { offered, agreed: negotiate(offered, profile.usp.capabilities), operations, definition }
  agreements.set(profile, made)
  return made
}
