import { deploymentOf } from '../protocol/deployment.ts'
import { negotiate } from '../protocol/negotiate.ts'
import type { Call } from '../protocol/operation.ts'
import { offeredBy } from '../protocol/served.ts'
import type { Runtime } from '../runtime.ts'
import { readAgent } from './read-agent.ts'

/** Reads the profile of the platform the caller names, if it names one, and agrees with it on capabilities. */
export async function checkAgent(call: Call, { profiles, business, operations }: Runtime): Promise<void> {
  const definition = await business.get()
  const deployment = deploymentOf(definition)
  call.deployment = deployment
  const url = readAgent(call, deployment)
  if (url === undefined) return
  const profile = await profiles.get(url, deployment.platformMembers)
  const offered = offeredBy(operations, definition)
  call.agent = { url, profile, offered, agreed: negotiate(offered, profile.usp.capabilities) }
}
