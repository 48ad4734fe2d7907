import { MINUTE } from '../../infra/time/time-units.ts'
import type { ResourceDefinition } from '../../protocol/types.generated.ts'
import type { ScheduledTime } from './generate-scheduled-times.ts'
import type { Occupancy, ResourceOccupancy } from './resource-occupancy.ts'
import { type Plan, resourcesOf } from './service-plan.ts'

/**
 * If a service uses at most this number of resources, the server reads the reserved times of all these resources in one
 * query.
 */
const EAGER_RESOURCES = 100
/**
 * A search first reads the reserved times that matter for this number of scheduled times. The first page of results
 * rarely needs more.
 */
const FIRST_TIMES = 128
/**
 * For each required resource that the business assigns, a search first reads the reserved times of this number of
 * candidates. All these candidates are rarely reserved at the same time.
 */
const FIRST_ASSIGNABLE = 20

/**
 * Whether a search should load reserved times step by step, because it usually needs only a few of many resources.
 * Reservations need all resources, because every resource counts toward the capacity.
 */
export const isLazyWorthwhile = (plan: Plan): boolean =>
  plan.service.type !== 'reservation' && resourcesOf(plan).length > EAGER_RESOURCES

/**
 * When each crowded resource stops counting as crowded, in milliseconds of `performance.now()`. A resource is crowded
 * if a recent search had to read its reserved times, because all resources before it in the list were reserved.
 */
const crowdedUntil = new WeakMap<ResourceDefinition, number>()

const isCrowded = (next: ResourceDefinition | undefined): boolean =>
  next !== undefined && (crowdedUntil.get(next) ?? 0) > performance.now()

/**
 * Ids of the resources whose reserved times a search reads first. These are the resources that buyers choose with the
 * first times, and the first candidates for each resource that the business assigns.
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

/** The error that is thrown if a search needs the reserved times of a resource that are not loaded yet. */
class NotLoadedError extends Error {
  readonly id: string

  constructor(id: string) {
    super(`The occupancy of ${id} was not read.`)
    this.id = id
  }
}

/**
 * The reserved times of resources, which the server loads only when a search needs them. A search usually needs only
 * the first few of hundreds of resources. To load all of them would take most of the database time of a search.
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
   * Runs the function `compute`. If it needs reserved times that are not loaded, the server loads them for all
   * resources that can replace the missing resource. Then it runs `compute` once more.
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
   * Marks the resource `wanted` as crowded for a minute if all resources before it in the list have reserved times. If
   * one of them has none, the caller asked for `wanted` by name.
   */
  #noteCrowd(ones: readonly ResourceDefinition[], wanted: string): void {
    const nth = ones.findIndex(({ id }) => id === wanted)
    const isTaken = ({ id }: ResourceDefinition) => this.#known.get(id)?.get(id) !== undefined
    const one = ones[nth]
    if (one && ones.slice(0, nth).every(isTaken)) crowdedUntil.set(one, performance.now() + MINUTE)
  }
}
