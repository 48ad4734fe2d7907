import type { Served } from './stage.ts'

/** Returns the event loop delays of the main thread of a server since the last call, in milliseconds. */
export async function delaysOf({ origin }: Pick<Served, 'origin'>): Promise<{ p99: number; longest: number }> {
  const metrics = await (await fetch(`${origin}/metrics`)).text()
  const read = (name: string) =>
    Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(metrics)?.[1]) * 1000
  return { p99: read('p99'), longest: read('max') }
}
