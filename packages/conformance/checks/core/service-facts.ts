import { asMembers, type Members } from '../../caller/answer.ts'
import { expectMembers } from '../../run/expectations.ts'
import { Skip } from '../../run/mismatch.ts'

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map((item) => asMembers(item) ?? {}) : [])

export const categoriesOf = (service: Members): Members[] => listOf(service.categories)
export const idsOf = (items: Members[]): unknown[] => items.map(({ id }) => id)
/** The locations of a service or of the business. */
export const locationsOf = (owner: Members): Members[] => listOf(owner.locations)
export const locationIdsOf = (owner: Members): unknown[] => idsOf(locationsOf(owner))
/** The resources that a service needs, or that a slot uses. */
export const resourcesOf = (owner: Members): Members[] => listOf(owner.resources)
export const optionsOf = (requirement: Members): Members[] => listOf(requirement.options)
/** The resources of which the buyer can select one. */
export const selectableOf = (service: Members): Members[] =>
  resourcesOf(service).filter((requirement) => requirement.selectable === true)
export const selectableIdsOf = (service: Members): unknown[] => idsOf(selectableOf(service).flatMap(optionsOf))
export const pricingOf = (service: Members): Members => asMembers(service.pricing) ?? {}
export const durationOf = (service: Members): Members => asMembers(service.duration) ?? {}
export const capacityOf = (service: Members): Members => asMembers(service.capacity) ?? {}

/**
 * Returns the primary category: the category with the mark `primary`, or else the only merchant category, or else the
 * first one.
 */
export function primaryCategoryOf(service: Members): Members | undefined {
  const categories = categoriesOf(service)
  const marked = categories.filter(({ primary }) => primary === true)
  if (marked.length === 1) return marked[0]
  const own = categories.filter(({ taxonomy }) => taxonomy === 'merchant')
  return own.length === 1 ? own[0] : categories[0]
}

/** Returns the plain text of a description, which is a text or an object with a member `plain`. */
export function descriptionOf({ description }: Members): string {
  const text = typeof description === 'string' ? description : asMembers(description)?.plain
  return typeof text === 'string' ? text : ''
}

/** Returns the service without its availability hint, which changes with each booking. */
export function withoutHint(service: unknown): Members {
  const { availability_hint, ...others } = expectMembers(service, 'the service')
  return others
}

/** Returns the data of a feed record. */
export const dataOf = (item: Members | undefined): Members => expectMembers(item?.data, 'data of an item')

/** Reads an amount of money in minor units, such as cents. The amount is a number or a string of digits. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value)) ? Number(value) : undefined
}

/** Returns the first item. Skips the check if the list is empty. */
export function firstOf<T>(items: readonly T[], description: string): T {
  const [first] = items
  if (first === undefined) throw new Skip(`The catalogue has no ${description}.`)
  return first
}
