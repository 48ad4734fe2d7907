import { LRUCache } from 'lru-cache'
import type { Plan } from './plan.ts'

const names = new WeakMap<Plan, number>()
let named = 0

/** A number for each plan object. A derived plan, or a plan of a newer definition, has another number. */
export function planNumber(plan: Plan): number {
  const name = names.get(plan) ?? named++
  names.set(plan, name)
  return name
}

/** A cache of limited total size for values that depend on the plan only. */
export function planCache<T extends object>(most: number, sizeOf: (value: T) => number) {
  const kept = new LRUCache<string, T>({ maxSize: most, sizeCalculation: sizeOf })
  return {
    get: (plan: Plan, what: string): T | undefined => kept.get(`${planNumber(plan)} ${what}`),
    set: (plan: Plan, what: string, value: T) => void kept.set(`${planNumber(plan)} ${what}`, value),
  }
}
