import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { type Plan, seatsOf } from './service-plan.ts'

const UNLIMITED = Number.POSITIVE_INFINITY

/**
 * The number of people that fit into a resource. A reservation occupies a whole table, so even a table without `seats`
 * has a limit. For other services, a resource without `seats` has no limit.
 */
const roomIn = (plan: Plan, one: ResourceDefinition): number =>
  plan.service.type === 'reservation' ? seatsOf(plan, one) : (one.seats ?? UNLIMITED)

/** Whether one resource has room for the whole party. The server never splits a party between resources. */
export const hasCapacity = (plan: Plan, one: ResourceDefinition, party: number): boolean =>
  party === 1 || roomIn(plan, one) >= party

/**
 * Whether a larger party can use fewer of the service's resources. If so, a booking for another party size than its
 * hold allocates the slot anew.
 */
export const dependsOnPartySize = ({ requirements }: Plan): boolean =>
  requirements.some(({ candidates }) => candidates.some(({ seats }) => seats !== undefined))

/**
 * The largest number of people in one booking. An appointment with a staff member is for one person, unless the
 * business definition states a number.
 */
export function largestParty(plan: Plan): number {
  const { service, requirements } = plan
  const stated = Math.min(
    service.capacity?.max ?? UNLIMITED,
    largestOf(
      plan,
      requirements.map(({ candidates }) => candidates),
    ),
  )
  const isForOne = service.type === 'appointment' && service.pricing.model !== 'per_person'
  const withStaff = service.resources?.some(({ type }) => type === 'staff')
  return stated === UNLIMITED && isForOne && withStaff ? 1 : stated
}

/**
 * The largest number of people in one booking with the resources that the buyer picked, and one resource from each list
 * of `choices`.
 */
export function largestPartyWith(plan: Plan, picks: readonly string[], choices: readonly string[][] = []): number {
  const candidates = plan.requirements.flatMap((requirement) => requirement.candidates)
  const lists = [...picks.map((id) => [id]), ...choices]
  return largestOf(
    plan,
    lists.map((ids) => candidates.filter(({ id }) => ids.includes(id))),
  )
}

const largestOf = (plan: Plan, kinds: ResourceDefinition[][]): number =>
  Math.min(...kinds.map((ones) => (ones.length === 0 ? UNLIMITED : Math.max(...ones.map((one) => roomIn(plan, one))))))
