import type { Call } from '../protocol/operation.ts'
import { checkAddress } from './check-address.ts'
import { type AgentDependencies, checkAgent } from './check-agent.ts'
import { type CallerDependencies, checkCaller } from './check-caller.ts'
import { checkDigest } from './check-digest.ts'
import { checkInput, checkMeta, checkText } from './check-form.ts'
import { type CountingDependencies, checkRate } from './check-rate.ts'
import { checkRole } from './check-role.ts'
import { checkScope } from './check-scope.ts'

export type CheckDependencies = AgentDependencies & CallerDependencies & CountingDependencies

/** A check that runs before the operation of a call. It throws a refusal, or adds its findings to the call. */
export type Check = (call: Call, dependencies: CheckDependencies) => void | Promise<void>

export const checks: Check[] = [
  checkAddress,
  checkMeta,
  checkAgent,
  checkDigest,
  checkCaller,
  checkRole,
  checkScope,
  checkRate,
  checkText,
  checkInput,
]

/**
 * The checks that the server skips for a call through the assistant interface. The interface has already refused
 * addresses with too many failures. It counts a tool call once, even if the tool calls several operations.
 */
const countedBefore: Check[] = [checkAddress, checkRate]

export const checksOfAssistants: Check[] = checks.filter((check) => !countedBefore.includes(check))
