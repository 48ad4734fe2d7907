import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import { type Plan, seatsOf } from './plan.ts'

const ANY = Number.POSITIVE_INFINITY

/** How many it takes at once. A party has a whole table; elsewhere what says nothing sets no bounds. */
const roomIn = (plan: Plan, one: ResourceDefinition): number =>
  plan.service.type === 'reservation' ? seatsOf(plan, one) : (one.seats ?? ANY)

/** A party is not spread over several of a kind, so it must be large enough. */
export const hasRoom = (plan: Plan, one: ResourceDefinition, party: number): boolean =>
  party === 1 || roomIn(plan, one) >= party

/** Whether it decides with whom or where something takes place how many come. */
export const isSeated = ({ requirements }: Plan): boolean =>
  requirements.some(({ candidates }) => candidates.some(({ seats }) => seats !== undefined))

/** The most people that one booking is for, as far as anything says. With one of the staff it is for one unless something does. */
export function largestParty(plan: Plan): number {
  const { service, requirements } = plan
  const stated = Math.min(
    service.capacity?.max ?? ANY,
    largestOf(
      plan,
      requirements.map(({ candidates }) => candidates),
    ),
  )
  const isForOne = service.type === 'appointment' && service.pricing.model !== 'per_person'
  const withStaff = service.resources?.some(({ type }) => type === 'staff')
  return stated === ANY && isForOne && withStaff ? 1 : stated
}

/** The most people for whom there is room with those who were picked, and of the others one of each. */
export function largestPartyWith(plan: Plan, picks: readonly string[], choices: readonly string[][] = []): number {
  const candidates = plan.requirements.flatMap((requirement) => requirement.candidates)
  const named = [...picks.map((id) => [id]), ...choices]
  return largestOf(
    plan,
    named.map((ids) => candidates.filter(({ id }) => ids.includes(id))),
  )
}

const largestOf = (plan: Plan, kinds: ResourceDefinition[][]): number =>
  Math.min(...kinds.map((ones) => (ones.length === 0 ? ANY : Math.max(...ones.map((one) => roomIn(plan, one))))))
