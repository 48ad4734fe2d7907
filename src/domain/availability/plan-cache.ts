import { LRUCache } from 'lru-cache'
import type { Plan } from './plan.ts'

const names = new WeakMap<Plan, number>()
let named = 0

/** A number for each plan object. A plan that was derived from another, or made of a newer definition, has its own. */
export function planNumber(plan: Plan): number {
  const name = names.get(plan) ?? named++
  names.set(plan, name)
  return name
}

/** A cache, limited in total size, of what can be computed from a plan alone. */
export function planCache<T extends object>(most: number, sizeOf: (value: T) => number) {
  const kept = new LRUCache<string, T>({ maxSize: most, sizeCalculation: sizeOf })
  return {
    get: (plan: Plan, what: string): T | undefined => kept.get(`${planNumber(plan)} ${what}`),
    set: (plan: Plan, what: string, value: T) => void kept.set(`${planNumber(plan)} ${what}`, value),
  }
}
