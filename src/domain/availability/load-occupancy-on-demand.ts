import { MINUTE } from '../../infra/time/time-units.ts'
import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import type { ScheduledTime } from './generate-scheduled-times.ts'
import type { Occupancy, ResourceOccupancy } from './resource-occupancy.ts'
import { type Plan, resourcesOf } from './service-scheduling-plan.ts'

/**
 * If a service uses at most this many people, rooms and items, a search reads all their reserved times in one query.
 */
const EAGER_RESOURCES = 100
/**
 * A search first reads only the reserved times that matter for this many scheduled times (times in the working hours).
 * One page of results rarely needs more.
 */
const FIRST_TIMES = 128
/**
 * For each resource that the business assigns, such as a room, a search first reads the reserved times of this many
 * candidates. Rarely, all these candidates are reserved at the same time, and the search must read more.
 */
const FIRST_ASSIGNABLE = 20

/**
 * Whether a search loads reserved times step by step. This is worthwhile if a service has many resources, because a
 * search usually needs only a few. A table reservation needs all tables, because each table counts toward the capacity.
 */
export const isLazyWorthwhile = (plan: Plan): boolean =>
  plan.service.type !== 'reservation' && resourcesOf(plan).length > EAGER_RESOURCES

/**
 * When each crowded resource stops being crowded, in milliseconds of `performance.now()`. A resource, such as a room,
 * is crowded if a recent search needed it because all resources before it in the list were reserved.
 */
const crowdedUntil = new WeakMap<ResourceDefinition, number>()

const isCrowded = (next: ResourceDefinition | undefined): boolean =>
  next !== undefined && (crowdedUntil.get(next) ?? 0) > performance.now()

/**
 * Ids of the people, rooms and items whose reserved times a search reads first. These are the resources that buyers can
 * choose at the first times, and the first candidates for each resource that the business assigns.
 */
export function resourcesToReadFirst(times: IteratorObject<ScheduledTime>): Set<string> {
  const ones = new Set<ResourceDefinition>()
  const lists = new Set<ResourceDefinition[]>()
  for (const { chosen, working } of times.take(FIRST_TIMES)) {
    for (const one of chosen) ones.add(one)
    for (const list of working) lists.add(list)
  }
  const assigned = [...lists].flatMap((list) =>
    isCrowded(list[FIRST_ASSIGNABLE]) ? list : list.slice(0, FIRST_ASSIGNABLE),
  )
  return new Set([...ones, ...assigned].map(({ id }) => id))
}

/** A search throws this error if it needs the reserved times of a resource that the server has not loaded yet. */
class NotLoadedError extends Error {
  readonly id: string

  constructor(id: string) {
    super(`The occupancy of ${id} was not read.`)
    this.id = id
  }
}

/**
 * Loads the reserved times of a resource only when a search needs them. A search usually needs only the first few of
 * hundreds of resources. Loading all of them would take most of the database time of a search.
 */
export class LazyOccupancy implements Occupancy {
  reads = 0
  readonly #plan: Plan
  readonly #read: (ids: string[]) => Promise<Occupancy>
  readonly #unread: Set<string>
  readonly #known = new Map<string, Occupancy>()

  constructor(plan: Plan, load: (ids: string[]) => Promise<Occupancy>) {
    this.#plan = plan
    this.#read = load
    this.#unread = new Set(resourcesOf(plan))
  }

  get(id: string): ResourceOccupancy | undefined {
    if (this.#unread.has(id)) throw new NotLoadedError(id)
    return this.#known.get(id)?.get(id)
  }

  async read(ones: Iterable<string> = this.#unread): Promise<void> {
    this.reads++
    const ids = [...new Set(ones)].filter((id) => this.#unread.has(id))
    const busy = await this.#read(ids)
    for (const id of ids) {
      this.#known.set(id, busy)
      this.#unread.delete(id)
    }
  }

  /**
   * Runs the function `compute`. If `compute` needs the reserved times of a resource that are not loaded yet, the
   * server loads them. It also loads those of all resources that can replace this resource. Then the server runs
   * `compute` again.
   */
  withLoaded<Result>(compute: () => Result): Result | Promise<Result> {
    try {
      return compute()
    } catch (error) {
      if (!(error instanceof NotLoadedError)) throw error
      return this.read(this.#allLike(error.id)).then(() => this.withLoaded(compute))
    }
  }

  #allLike(wanted: string): string[] {
    const kinds = this.#plan.requirements.map(({ candidates }) => candidates)
    const matching = kinds.filter((ones) => ones.some(({ id }) => id === wanted))
    for (const ones of matching) this.#noteCrowd(ones, wanted)
    return matching.flat().map(({ id }) => id)
  }

  /**
   * Marks the resource `wanted` as crowded for a minute, if all resources before it in the list have reserved times.
   * Otherwise, the search needed `wanted` for another reason, such as a caller who named this resource.
   */
  #noteCrowd(ones: readonly ResourceDefinition[], wanted: string): void {
    const nth = ones.findIndex(({ id }) => id === wanted)
    const isTaken = ({ id }: ResourceDefinition) => this.#known.get(id)?.get(id) !== undefined
    const one = ones[nth]
    if (one && ones.slice(0, nth).every(isTaken)) crowdedUntil.set(one, performance.now() + MINUTE)
  }
}
