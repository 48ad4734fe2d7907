import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { type Plan, seatsOf } from './service-scheduling-plan.ts'

const UNLIMITED = Number.POSITIVE_INFINITY

/**
 * The number of people that fit at a table, into a room or the like. In a table reservation, a table without a stated
 * number of `seats` has the maximum of the service. In other services, a resource without a stated number has no limit.
 */
const roomIn = (plan: Plan, one: ResourceDefinition): number =>
  plan.service.type === 'reservation' ? seatsOf(plan, one) : (one.seats ?? UNLIMITED)

/**
 * Whether one resource, such as a table, has room for all people of a booking. The server never splits one booking
 * between several tables.
 */
export const hasCapacity = (plan: Plan, one: ResourceDefinition, party: number): boolean =>
  party === 1 || roomIn(plan, one) >= party

/**
 * Whether the number of people determines which resources, such as tables, a booking can use. Then a hold for two
 * people may reserve a table that is too small for four. If the booking has another number of people than its hold, the
 * server must reserve the slot again.
 */
export const dependsOnPartySize = ({ requirements }: Plan): boolean =>
  requirements.some(({ candidates }) => candidates.some(({ seats }) => seats !== undefined))

/**
 * The largest number of people in one booking. If the business definition states no number, an appointment with a staff
 * member is for one person.
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
 * The largest number of people in one booking. The booking uses the resources that the buyer picked, and one resource
 * from each list of `choices`.
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
