import { queryAvailability } from '../../domain/availability/query-availability.ts'
import { callAsVisitor, callFromPage } from '../../pipeline/call-operation-from-page.ts'
import { assistedVisitOf } from '../../pipeline/page-visitor.ts'
import type { Operation, OperationTypes } from '../../protocol/define-operation.ts'
import type { Message, TimeSlot } from '../../protocol/types.generated.ts'
import type { Runtime } from '../../server/build-dependencies.ts'
import type { InventedPerson } from './invented-people.ts'

/**
 * This error means that the business refused a step of the demo simulation, for example because the time is not free.
 * The simulation continues without the step.
 */
export class StepRefusedError extends Error {
  override name = 'StepRefusedError'
}

/**
 * The IP address of all demo calls. RFC 5737 reserves it for documentation, so the calls do not use up the limits of a
 * real address.
 */
const peer = { address: '192.0.2.1' }

/** Calls an operation like a staff member at the desk. */
export const asStaff = <T extends OperationTypes>(
  { runtime, staffId }: { runtime: Runtime; staffId: string },
  operation: Operation<T>,
  input: T['input'],
): Promise<T['output']> =>
  resultOf(callFromPage(operation, input, { peer, staff: { id: staffId, role: 'owner' } }, runtime))

/** Calls an operation like a visitor of the booking page, or like the AI assistant of a person. */
export function asBuyer<T extends OperationTypes>(
  { runtime, person, way }: { runtime: Runtime; person: InventedPerson; way: 'page' | 'assistant' },
  operation: Operation<T>,
  input: T['input'],
): Promise<T['output']> {
  const { locale, email } = person
  const secret = runtime.tag('demo visitor', email, 32)
  const visitor = way === 'assistant' ? assistedVisitOf(secret) : `visit_${secret}`
  const binding = way === 'assistant' && { binding: way }
  return resultOf(callAsVisitor(operation, input, { peer, locale, visitor, ...binding }, runtime))
}

async function resultOf<Output>(
  call: Promise<{ refusal: Message } | { result: Output; refusal?: never }>,
): Promise<Output> {
  const answer = await call
  if (answer.refusal) throw new StepRefusedError(answer.refusal.content)
  return answer.result
}

interface Wanted {
  service: string
  from: string
  to?: string
  party?: number
  staffId?: string
}

/** Returns the free times of a service. For staff, the result also contains times that buyers can no longer book. */
export async function freeSlots(
  runtime: Runtime,
  { service, from, to = from, party = 1, staffId }: Wanted,
): Promise<TimeSlot[]> {
  const caller = staffId === undefined ? { visitor: 'visit_demo' } : { staff: { id: staffId, role: 'owner' as const } }
  const input = { service_id: service, start_date: from, end_date: to, party_size: party, limit: 200 }
  const { slots } = await resultOf(callFromPage(queryAvailability, input, { peer, ...caller }, runtime))
  return slots
}
