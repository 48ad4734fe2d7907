import type { Runtime } from '../runtime.ts'
import { checkAddress } from '../trust/check-address.ts'
import { checkAgent } from '../trust/check-agent.ts'
import { checkCaller } from '../trust/check-caller.ts'
import { checkDigest } from '../trust/check-digest.ts'
import { checkRate } from '../trust/check-rate.ts'
import { checkRole } from '../trust/check-role.ts'
import { checkScope } from '../trust/check-scope.ts'
import { checkInput, checkMeta, checkText } from './check-form.ts'
import type { Call } from './operation.ts'

/** A step every call passes before its operation runs; it throws what it refuses, and notes on the call what it finds. */
export type Check = (call: Call, runtime: Runtime) => void | Promise<void>

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
