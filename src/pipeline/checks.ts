import type { Call } from '../protocol/operation.ts'
import { checkAddress } from './check-address.ts'
import { type AgentMeans, checkAgent } from './check-agent.ts'
import { type CallerMeans, checkCaller } from './check-caller.ts'
import { checkDigest } from './check-digest.ts'
import { checkInput, checkMeta, checkText } from './check-form.ts'
import { type CountingMeans, checkRate } from './check-rate.ts'
import { checkRole } from './check-role.ts'
import { checkScope } from './check-scope.ts'

export type CheckMeans = AgentMeans & CallerMeans & CountingMeans

/** A step every call passes before its operation runs; it throws what it refuses, and notes on the call what it finds. */
export type Check = (call: Call, means: CheckMeans) => void | Promise<void>

/** In this order, on both bindings. */
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

/** The door of assistants has turned away who guesses, and counted a tool's call once, however many operations it takes. */
const countedBefore: Check[] = [checkAddress, checkRate]

export const checksOfAssistants: Check[] = checks.filter((check) => !countedBefore.includes(check))
