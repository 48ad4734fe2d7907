import { LRUCache } from 'lru-cache'
import type { Plan } from './plan.ts'

const names = new WeakMap<Plan, number>()
let named = 0

/** A name that no other plan has: a plan made of another, or of a newer definition, is another. */
export function nameOf(plan: Plan): number {
  const name = names.get(plan) ?? named++
  names.set(plan, name)
  return name
}

/** Keeps what follows from a plan alone, the most used of it up to a size in all. */
export function planMemory<T extends object>(most: number, sizeOf: (value: T) => number) {
  const kept = new LRUCache<string, T>({ maxSize: most, sizeCalculation: sizeOf })
  return {
    get: (plan: Plan, what: string): T | undefined => kept.get(`${nameOf(plan)} ${what}`),
    set: (plan: Plan, what: string, value: T) => void kept.set(`${nameOf(plan)} ${what}`, value),
  }
}
