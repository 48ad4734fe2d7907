/**
 * Simulates more and larger machines as a network of queues, and prints the tables of docs/scale.md. Most options are
 * the CPU milliseconds that each piece of work needs. `npm run bench -- service-times` measures these milliseconds.
 *
 *     npx node bench/simulate.ts --query-server 1.5 --booking-database 3
 */
import { parseArgs } from 'node:util'
import { maxRateWithin, type Steps, simulate } from './support/queues.ts'

const usual = {
  // Measured by bench/service-times.ts: CPU milliseconds of the server and the database for each query and each
  // booking.
  'query-server': '0.52',
  'query-database': '0.12',
  'booking-server': '0.95',
  'booking-database': '0.48',
  // Measured by bench/service-times.ts: background work of an idle server and its database load, in CPU milliseconds
  // per second.
  'idle-server': '11',
  'idle-database': '5.3',
  // Assumed: the milliseconds of a commit, the commits that one disk write contains, and the milliseconds between two
  // machines in one place.
  commit: '2',
  'commits-together': '8',
  network: '0.3',
  // Measured by bench/events.ts without batches: the milliseconds to sign an event and to record its delivery. Assumed:
  // the milliseconds of the receiver.
  'event-server': '3.9',
  'event-database': '5',
  receiver: '100',
  // Measured by bench/registry.ts with a million services: the milliseconds of one search in the database of one shard,
  // and in the server that merges the results.
  'search-shard': '3.6',
  'search-gather': '1.7',
  // Assumed for one business: bookings in a day, queries for each booking, and the share of the busiest hour in a day.
  'bookings-a-day': '30',
  'queries-a-booking': '40',
  'busiest-hour': '0.2',
  // Assumed: the memory of a server, the memory of a cell (a group of machines), and the number of databases that one
  // PostgreSQL handles well.
  'server-megabytes': '300',
  'cell-gigabytes': '64',
  'databases-a-cell': '1000',
  // The limit of the p99 in milliseconds. It is 20 ms lower than the wanted limit, because the model ignores garbage
  // collection and other programs.
  within: '30',
}
type Name = keyof typeof usual

const options = Object.fromEntries(
  Object.entries(usual).map(([name, value]) => [name, { type: 'string' as const, default: value }]),
)
const { values } = readOptions()
function readOptions() {
  try {
    return parseArgs({ options })
  } catch (error) {
    const known = Object.entries(usual).map(([name, value]) => `--${name} ${value}`)
    console.error(`${error instanceof Error ? error.message : error}\nOptions and their defaults:\n${known.join('\n')}`)
    return process.exit(1)
  }
}
const option = (name: Name): number => {
  const value = Number(values[name])
  if (!(value > 0)) throw new Error(`--${name} takes a number above 0`)
  return value
}
const within = option('within')

/**
 * A server has one event loop. Therefore there is one server for each core, and each server has its own pool of
 * connections.
 */
const machine = (cores: number) => ({
  servers: cores,
  database: cores,
  network: 1_000_000,
  disk: option('commits-together'),
})

const networkStep: Steps[number] = ['network', option('network')]
/** A server does half of its work before the answers of the database, and half after them. */
const asking = (server: number, database: number, statements: number, more: Steps = []): Steps => [
  ['servers', server / 2],
  ...Array.from({ length: statements }, (): Steps => [networkStep, ['database', database / statements]]).flat(),
  ...more,
  ['servers', server / 2],
]
const query = asking(option('query-server'), option('query-database'), 2)
const booking = asking(option('booking-server'), option('booking-database'), 3, [['disk', option('commit')]])

const whole = (value: number) => Math.round(value).toLocaleString('en')
const ms = (value: number) => `${value.toFixed(0)} ms`
const table = (heads: string[], rows: string[][]) =>
  console.log([heads, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n'))

console.log(`\nOne business: servers on these cores, the database on as many of its own; p99 within ${within} ms`)
table(
  ['cores', 'queries/s', 'bookings/s', 'first bottleneck'],
  [1, 4, 16].map((cores) => {
    const [querying, making] = [query, booking].map((steps) =>
      maxRateWithin(within, { stations: machine(cores), steps }),
    )
    const [first, then] = [querying?.fullest.station, making?.fullest.station]
    const full = first === then ? `${first}` : `${first}; for bookings the ${then}`
    return [String(cores), whole(querying?.rate ?? 0), whole(making?.rate ?? 0), full]
  }),
)

console.log('\nOne popular class: the server allocates its places one after the other')
const holding = option('booking-database') + 3 * option('network') + option('commit')
const one = maxRateWithin(within, { stations: { class: 1 }, steps: [['class', holding]] })
console.log(`${whole(one.rate)} bookings/s on any machines; a booking holds its lock for ${holding.toFixed(1)} ms`)

console.log('\nMany businesses, each with a database, in cells of 16 cores for servers and 16 for the database')
const busiest = (option('bookings-a-day') * option('busiest-hour')) / 3600
/** The CPU milliseconds per second that one business needs. */
const demandOn = (what: 'server' | 'database') =>
  option(`idle-${what}`) + busiest * (option('queries-a-booking') * option(`query-${what}`) + option(`booking-${what}`))
/**
 * The usable milliseconds of the 16 cores of a cell: 60 %, even in the busiest hour. Above 60 %, waiting times grow too
 * fast.
 */
const ROOM = 16 * 1000 * 0.6
const cellsOf = (businesses: number): string[] => {
  const shared = {
    servers: (businesses * demandOn('server')) / ROOM,
    'the database': (businesses * demandOn('database')) / ROOM,
    'databases in one PostgreSQL': businesses / option('databases-a-cell'),
  }
  const memory = (businesses * option('server-megabytes')) / 1000 / option('cell-gigabytes')
  const needed = (limits: Record<string, number>): string[] => {
    const [why, most] = Object.entries(limits).reduce((one, other) => (other[1] > one[1] ? other : one))
    return [whole(Math.ceil(most)), why]
  }
  const bookings = businesses * busiest
  return [businesses, bookings * option('queries-a-booking'), bookings]
    .map(whole)
    .concat(needed({ ...shared, 'memory of the servers': memory }), needed(shared))
}
table(
  [
    'businesses',
    'queries/s',
    'bookings/s',
    'cells, one server per business',
    'first bottleneck',
    'cells, shared servers',
    'first bottleneck',
  ],
  [10_000, 1_000_000].map(cellsOf),
)

console.log('\nA registry with a million services a shard on 4 cores: searches a second, median and p99')
const spreads = [1, 10, 100].flatMap((shards) =>
  [...new Set([1, Math.min(3, shards), shards])].map((searchedShards) => ({ shards, searchedShards })),
)
table(
  ['services', 'shards per search', 'searches/s', 'median', 'p99'],
  spreads.map(({ shards, searchedShards }) => {
    const seen = fanOut(shards, searchedShards)
    return [whole(shards * 1e6), String(searchedShards), whole(seen.rate), ms(seen.p50), ms(seen.p99)]
  }),
)

/** A search is complete when its slowest shard has answered. Each shard has its own queue. */
function fanOut(shards: number, searchedShards: number) {
  const stations = { shard: 4 }
  const steps: Steps = [['shard', option('search-shard')]]
  // The rate is 70 % of the maximum of a shard, because each search waits for the slowest shard.
  const rate = (0.7 * 4 * 1000) / option('search-shard')
  const all = Array.from(
    { length: searchedShards },
    (_, seed) => simulate({ stations, steps, rate, count: 4_000, seed: seed + 1 }).times,
  )
  const slowest = (all[0] ?? []).map((_, index) => Math.max(...all.map((times) => times[index] ?? 0)))
  const sorted = slowest.toSorted((a, b) => a - b)
  const at = (where: number) => (sorted[Math.floor(sorted.length * where)] ?? 0) + option('search-gather')
  return { rate: (rate * shards) / searchedShards, p50: at(0.5), p99: at(0.99) }
}

console.log(`\nEvents: deliveries a second to receivers that take ${option('receiver')} ms each`)
/**
 * The limits of `src/core/events`: concurrent deliveries of each server, and concurrent deliveries of all servers to
 * one receiver.
 */
const [AT_ONCE, OF_ONE] = [96, 32]
const deliveriesOf = (servers: number, receivers: number): string[] => {
  const sending = Math.min(servers * AT_ONCE, receivers * OF_ONE)
  const limits = {
    'concurrent deliveries': (sending * 1000) / option('receiver'),
    'the servers': (servers * 1000) / option('event-server'),
    'the database, on 16 cores': (16 * 1000) / option('event-database'),
  }
  const [why, most] = Object.entries(limits).reduce((least, other) => (other[1] < least[1] ? other : least))
  return [String(servers), whole(receivers), whole(most), (most / receivers).toFixed(1), why]
}
table(
  ['servers', 'receivers', 'deliveries/s', 'events/s to all of them', 'first bottleneck'],
  [1, 4, 16].flatMap((servers) => [1, 10, 1_000].map((receivers) => deliveriesOf(servers, receivers))),
)
