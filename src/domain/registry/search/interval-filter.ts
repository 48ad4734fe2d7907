import { type RawBuilder, sql } from 'kysely'
import type { RangeMatchMode } from '../../../protocol/types.generated.ts'

/** Bounds of a filter, both inclusive; undefined is open. */
export interface Bounds {
  low: number | undefined
  high: number | undefined
  match: RangeMatchMode | undefined
}

type Column = RawBuilder<unknown>

/** Compares the range `from` to `to` of a service with the bounds. An unknown range fits no filter. */
export function fitsBounds(from: Column, to: Column, { low, high, match = 'overlap' }: Bounds): RawBuilder<boolean> {
  return sql`(${from} is not null and ${compared[match](from, to, low, high)})`
}

const atLeast = (column: Column, bound: number | undefined) =>
  bound === undefined ? sql`true` : sql`${column} >= ${bound}::numeric`
const atMost = (column: Column, bound: number | undefined) =>
  bound === undefined ? sql`true` : sql`${column} <= ${bound}::numeric`

/** No range of a service covers or equals an open side. */
const isOpen = (low: number | undefined, high: number | undefined) => low === undefined || high === undefined

const compared: Record<RangeMatchMode, (from: Column, to: Column, low?: number, high?: number) => Column> = {
  overlap: (from, to, low, high) => sql`${atLeast(to, low)} and ${atMost(from, high)}`,
  contained: (from, to, low, high) => sql`${atLeast(from, low)} and ${atMost(to, high)}`,
  contains: (from, to, low, high) =>
    isOpen(low, high) ? sql`false` : sql`${atMost(from, low)} and ${atLeast(to, high)}`,
  equals: (from, to, low, high) =>
    isOpen(low, high) ? sql`false` : sql`${from} = ${low}::numeric and ${to} = ${high}::numeric`,
}
