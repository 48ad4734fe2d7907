/** How many calls each station can process at once. Further calls wait in a queue, first in, first out. */
export type Stations = Record<string, number>

/** The stations that one call visits in order, each with its mean time in milliseconds. */
export type Steps = [station: string, ms: number][]

export interface Load {
  stations: Stations
  steps: Steps
  /** The number of calls per second. The calls arrive independently of each other. */
  rate: number
  /** The number of measured calls. Before them, a tenth of this number only fills the queues. */
  count?: number
  seed?: number
}

export interface SimulationResult {
  times: number[]
  p50: number
  p99: number
  /** The busiest station, and the part of the time in which it is busy. */
  fullest: { station: string; busy: number }
}

interface Event {
  at: number
  run(): void
}

/**
 * Simulates calls that visit stations with queues. The times at the stations are random, with an exponential
 * distribution. The same seed gives the same result.
 */
export function simulate({ stations, steps, rate, count = 20_000, seed = 1 }: Load): SimulationResult {
  const random = randomGenerator(seed)
  const exponential = (mean: number) => -mean * Math.log(1 - random())
  const events: Event[] = []
  const places = new Map(Object.entries(stations).map(([name, most]) => [name, { most, busy: 0, spent: 0, queue: [] }]))
  const took: number[] = []
  let now = 0

  const enter = (index: number, begun: number) => {
    const [name, ms] = steps[index] ?? []
    if (name === undefined || ms === undefined) return void took.push(now - begun)
    const place: { most: number; busy: number; spent: number; queue: (() => void)[] } | undefined = places.get(name)
    if (!place) throw new Error(`There is no station ${name}`)
    const begin = () => {
      place.busy++
      const takes = exponential(ms)
      place.spent += takes
      const end = () => {
        place.busy--
        place.queue.shift()?.()
        enter(index + 1, begun)
      }
      add(events, { at: now + takes, run: end })
    }
    if (place.busy < place.most) begin()
    else place.queue.push(begin)
  }
  let left = Math.ceil(count * 1.1)
  const arrive = () => {
    enter(0, now)
    if (--left > 0) add(events, { at: now + exponential(1000 / rate), run: arrive })
  }
  arrive()
  for (let next = take(events); next; next = take(events)) {
    now = next.at
    next.run()
  }

  const times = took.slice(-count)
  const sorted = times.toSorted((a, b) => a - b)
  const busy = [...places].map(([station, { most, spent }]) => ({ station, busy: spent / (most * now) }))
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? 0
  return {
    times,
    p50: at(0.5),
    p99: at(0.99),
    fullest: busy.reduce((one, other) => (other.busy > one.busy ? other : one)),
  }
}

/** Finds the highest rate at which the 99th percentile is at most `ms`. */
export function maxRateWithin(ms: number, load: Omit<Load, 'rate'>): SimulationResult & { rate: number } {
  const demand = Map.groupBy(load.steps, ([station]) => station)
  const limits = [...demand].map(([station, steps]) => {
    const total = steps.reduce((sum, [, each]) => sum + each, 0)
    return total > 0 ? ((load.stations[station] ?? 1) * 1000) / total : Number.POSITIVE_INFINITY
  })
  let [low, high] = [0, Math.min(...limits)]
  for (let round = 0; round < 9; round++) {
    const rate = (low + high) / 2
    if (simulate({ ...load, rate }).p99 <= ms) low = rate
    else high = rate
  }
  return { ...simulate({ ...load, rate: Math.max(low, 0.001) }), rate: low }
}

/** Adds an event to a binary heap. The next event is always on top. */
function add(heap: Event[], event: Event) {
  let index = heap.push(event) - 1
  while (index > 0) {
    const parent = (index - 1) >> 1
    const above = heap[parent]
    if (!above || above.at <= event.at) break
    heap[index] = above
    index = parent
  }
  heap[index] = event
}

function take(heap: Event[]): Event | undefined {
  const [first] = heap
  const last = heap.pop()
  if (!first || !last || heap.length === 0) return first
  let index = 0
  for (;;) {
    const [left, right] = [heap[2 * index + 1], heap[2 * index + 2]]
    const isRight = left !== undefined && right !== undefined && right.at < left.at
    const child = isRight ? right : left
    if (!child || child.at >= last.at) break
    heap[index] = child
    index = 2 * index + (isRight ? 2 : 1)
  }
  heap[index] = last
  return first
}

/**
 * A random number generator (Mulberry32). It is good enough for this simulation, and gives the same numbers on every
 * machine.
 */
function randomGenerator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
