import type { Agent } from '../../protocol/caller-types.ts'
import type { Operation } from '../../protocol/define-operation.ts'
import type { Plan } from './service-scheduling-plan.ts'

const WAITLIST = 'dev.usp-protocol.services.waitlist'

/**
 * Whether the caller can join the waitlist of this service. The server shows fully booked times only to callers who can
 * join the waitlist.
 */
export function canJoinWaitlist({ service }: Plan, agent: Agent | undefined, operations: Operation[]): boolean {
  if (service.capacity?.waitlist !== true) return false
  return agent ? agent.agreed.has(WAITLIST) : operations.some(({ capability }) => capability === WAITLIST)
}
