import { negotiate } from '../protocol/negotiate.ts'
import type { Call } from '../protocol/operation.ts'
import { offeredBy } from '../protocol/served.ts'
import type { Runtime } from '../runtime.ts'
import { readAgent } from './read-agent.ts'

/** Reads the profile of the platform the caller names, if it names one, and agrees with it on capabilities. */
export async function checkAgent(call: Call, { profiles, business, operations }: Runtime): Promise<void> {
  const url = readAgent(call)
  if (url === undefined) return
  const [profile, definition] = await Promise.all([profiles.get(url), business.get()])
  const offered = offeredBy(operations, definition)
  call.agent = { url, profile, offered, agreed: negotiate(offered, profile.usp.capabilities) }
}
