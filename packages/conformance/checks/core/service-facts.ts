import { asMembers, type Members } from '../../caller/answer.ts'
import { Skip } from '../../run/mismatch.ts'

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.map((item) => asMembers(item) ?? {}) : [])

export const categoriesOf = (service: Members): Members[] => listOf(service.categories)
export const locationIdsOf = (service: Members): unknown[] => listOf(service.locations).map(({ id }) => id)
export const resourcesOf = (service: Members): Members[] => listOf(service.resources)
export const optionsOf = (requirement: Members): Members[] => listOf(requirement.options)
export const policiesOf = (service: Members): Members => asMembers(service.policies) ?? {}
export const pricingOf = (service: Members): Members => asMembers(service.pricing) ?? {}
export const durationOf = (service: Members): Members => asMembers(service.duration) ?? {}
export const capacityOf = (service: Members): Members => asMembers(service.capacity) ?? {}
export const isShared = ({ type }: Members): boolean => type === 'group' || type === 'reservation'

/** The primary category: the one marked so, else the only merchant entry, else the first. */
export function primaryCategoryOf(service: Members): Members | undefined {
  const categories = categoriesOf(service)
  const marked = categories.filter(({ primary }) => primary === true)
  if (marked.length === 1) return marked[0]
  const own = categories.filter(({ taxonomy }) => taxonomy === 'merchant')
  return own.length === 1 ? own[0] : categories[0]
}

/** The plain text of a description in either form. */
export function descriptionOf({ description }: Members): string {
  const text = typeof description === 'string' ? description : asMembers(description)?.plain
  return typeof text === 'string' ? text : ''
}

/** An amount of money in minor units, which may be written as a number or as a string of digits. */
export function amountOf(value: unknown): number | undefined {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+$/.test(value)) ? Number(value) : undefined
}

/** The first item. Skips the check if there is none. */
export function firstOf<T>(items: readonly T[], description: string): T {
  const [first] = items
  if (first === undefined) throw new Skip(`The catalogue has no ${description}.`)
  return first
}
