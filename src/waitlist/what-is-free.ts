import { longestOf } from '../availability/durations.ts'
import { bookable, findOffers } from '../availability/find-offers.ts'
import type { Slot } from '../availability/find-slot.ts'
import { type Plan, resourcesOf } from '../availability/plan.ts'
import { slotId } from '../availability/slot-id.ts'
import { joined, type Span } from '../availability/spans.ts'
import type { Database } from '../db/database.ts'
import type { Tag } from '../trust/tags.ts'
import { type Beginning, beginningOf } from './preferences.ts'

export interface FreeSlot extends Slot {
  begins: Beginning
}

/** How far from a time another slot can begin and still touch it. */
export const reachOf = (plan: Plan): number => longestOf(plan) + plan.before + plan.after

/** What a service has free within some time, for one after the other to choose from: only around what was taken it is read again. */
export class WhatIsFree {
  readonly plan: Plan
  readonly #within: readonly Span[]
  readonly #resources: ReadonlySet<string>
  readonly #tag: Tag
  readonly #now: Date
  #slots: FreeSlot[] | undefined
  #taken: Span[] = []

  constructor(plan: Plan, within: readonly Span[], tag: Tag, now: Date) {
    this.plan = plan
    this.#within = within
    this.#resources = new Set(resourcesOf(plan))
    this.#tag = tag
    this.#now = now
  }

  async slots(tx: Database): Promise<readonly FreeSlot[]> {
    this.#slots ??= await this.#read(tx, this.#within)
    if (this.#taken.length === 0 || this.#slots.length === 0) return this.#slots
    const around = joined(this.#taken.sort(([one], [other]) => one - other))
    this.#taken = []
    const left = new Set((await this.#read(tx, around)).map(({ id }) => id))
    const isNear = ({ offer: { start } }: Slot) => around.some(([from, to]) => from <= start && start < to)
    this.#slots = this.#slots.filter((slot) => !isNear(slot) || left.has(slot.id))
    return this.#slots
  }

  /** Somebody has got this slot, of this service or another. */
  take({ plan, offer: { start, end, session } }: Slot): void {
    if (plan !== this.plan && (session !== undefined || !resourcesOf(plan).some((id) => this.#resources.has(id))))
      return
    const reach = reachOf(plan) + reachOf(this.plan)
    this.#taken.push([start - reach, end + reach])
  }

  async #read(tx: Database, spans: readonly Span[]): Promise<FreeSlot[]> {
    const { plan } = this
    const found: FreeSlot[] = []
    for (const span of spans)
      for (const offer of await findOffers(tx, plan, bookable(plan, span, this.#now), 1, this.#now))
        if (offer.capacity?.remaining !== 0)
          found.push({
            ...{ id: slotId(this.#tag, { ...offer, service: plan.service.id }), plan, offer },
            begins: beginningOf(offer, plan.zone),
          })
    return found
  }
}
