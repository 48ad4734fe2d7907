import type { Call } from '../protocol/define-operation.ts'
import { type CallerDependencies, checkCaller } from './check-caller-identity.ts'
import { checkDigest } from './check-content-digest.ts'
import { checkInput, checkMeta, checkText } from './check-input.ts'
import { checkRole, checkScope } from './check-permissions.ts'
import { type AgentDependencies, checkAgent } from './check-platform-profile.ts'
import { checkAddress } from './limit-calls-per-address.ts'
import { type CountingDependencies, checkRate } from './limit-calls-per-caller.ts'

export type CheckDependencies = AgentDependencies & CallerDependencies & CountingDependencies

/**
 * A check that runs before the operation of a call. A check throws an error or adds a result to the call, such as the
 * authenticated caller.
 */
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
 * The two checks that count calls. They do not run for the assistant interface, because it has already counted the tool
 * call. A tool call counts only once, even if it calls several operations.
 */
const countedBefore: Check[] = [checkAddress, checkRate]

export const checksOfAssistants: Check[] = checks.filter((check) => !countedBefore.includes(check))
