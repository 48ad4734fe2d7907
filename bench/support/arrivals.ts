import { setTimeout as pass } from 'node:timers/promises'
import { checkTarget } from './check-target.ts'
import { quantile } from './load.ts'

/** The delays between the start of each item and its arrival, in milliseconds. */
export interface Delays {
  aSecond: number
  median: number
  p99: number
}

/** Starts one item, such as a mail. Stores its start time under its name. The item later arrives with the same name. */
export type StartItem = (begun: Map<string, number>) => Promise<void>

/** Starts items at a fixed rate, and waits until all have arrived. The map `arrived` contains the arrival times. */
export async function measureArrivals(
  arrived: ReadonlyMap<string, number>,
  enter: StartItem,
  { aSecond, seconds }: { aSecond: number; seconds: number },
): Promise<Delays> {
  const begun = new Map<string, number>()
  const from = performance.now()
  const entering: Promise<void>[] = []
  for (let count = 0; count < seconds * aSecond; count++) {
    const early = from + (count * 1000) / aSecond - performance.now()
    if (early > 1) await pass(early)
    entering.push(enter(begun))
  }
  await Promise.all(entering)
  const missing = () => [...begun.keys()].filter((name) => !arrived.has(name)).length
  for (const end = performance.now() + 60_000; missing() > 0 && performance.now() < end; ) await pass(100)
  if (missing() > 0) throw new Error(`${missing()} never came`)
  const delays = [...begun].map(([name, at]) => (arrived.get(name) ?? 0) - at)
  return { aSecond, median: quantile(delays, 0.5), p99: quantile(delays, 0.99) }
}

export function report(what: string, { aSecond, median, p99 }: Delays): void {
  console.log(`${what}, ${aSecond}/s: median ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`)
}

export function judge(what: string, delays: Delays, most: number): void {
  report(what, delays)
  checkTarget('  p99', delays.p99, { under: most }, 'ms')
}
