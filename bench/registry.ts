/**
 * Measures the search speed of a registry with 100 000 services of 10 000 businesses, and with ten times more services.
 * Tests each filter alone, and all filters together. Compares the speed with a minimal server that reads 50 rows. Also
 * measures the time to build the index, and the size of the index.
 */
import { checkTarget } from './support/check-target.ts'
import { serverPids } from './support/cpu-time.ts'
import { cpuTimePerCall } from './support/cpu-time-per-call.ts'
import { fillDirectory, type Listed, sampleServices } from './support/directory.ts'
import { fireAll, median, type PreparedRequest } from './support/load.ts'
import { business, service, staff, WEEK } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SHOTS = Number(process.env.BENCH_SHOTS ?? 500)
const [FEW, MANY] = [100_000, Number(process.env.BENCH_MANY ?? 1_000_000)]
const SERVICES_EACH = 10

const shot = (path: string, input: object): PreparedRequest => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(input),
})

/** Filters for searches that find this service. */
const place = ({ lat, lng }: Listed) => ({ location: { coordinates: { lat, lng }, radius_km: 5 } })
const category = ({ category }: Listed) => ({ categories: [category] })
const price = ({ price }: Listed) => ({ price_range: { min: price - 1000, max: price + 1000, currency: 'USD' } })
const text = ({ name }: Listed) => ({ query: name })
const misspelled = ({ name }: Listed) => ({ query: name.replace(/(\w)(\w)(\w+)$/, '$2$1$3') })
const all = (service: Listed) => ({ ...place(service), ...category(service), ...price(service), ...text(service) })

const searches = { all, place, category, price, text, misspelled }

const stage = await openStage()
try {
  const definition = { ...business([service('svc_cut', staff(1))], 1), registry: { enabled: true } }
  const bare = await stage.serveBare()
  const bareShots = Array.from({ length: SHOTS }, () => shot('/query', { service_id: 'svc_cut', ...WEEK }))
  const registry = async (count: number) => {
    const server = await stage.serve(`registry_${count}`, definition)
    await fillDirectory(server.db, count / SERVICES_EACH, SERVICES_EACH)
    return { ...server, samples: await sampleServices(server.db, SHOTS) }
  }
  const [few, many] = [await registry(FEW), await registry(MANY)]
  const searchIn = ({ origin, samples }: typeof few, search: (sample: Listed) => object) =>
    fireAll(
      origin,
      samples.map((sample) => shot('/usp/v1/registry/search_services', search(sample))),
      200,
    )

  const fire = async (search: (sample: Listed) => object) => ({
    few: await searchIn(few, search),
    many: await searchIn(many, search),
  })
  const bareRates: number[] = []
  const rounds: Record<string, Awaited<ReturnType<typeof fire>>[]> = {}
  for (let round = 0; round <= ROUNDS; round++) {
    const { rate } = await fireAll(bare, bareShots, 200)
    // The first round is only a warm-up.
    if (round > 0) bareRates.push(rate)
    for (const [name, search] of Object.entries(searches)) {
      const fired = await fire(search)
      if (round > 0) rounds[name] = [...(rounds[name] ?? []), fired]
    }
  }
  console.log(`bare        ${median(bareRates).toFixed(0).padStart(6)}/s`)
  for (const [name, fired] of Object.entries(rounds)) {
    const resultText = (size: 'few' | 'many') => {
      const rate = median(fired.map((one) => one[size].rate)).toFixed(0)
      return `${rate.padStart(6)}/s, p99 ${median(fired.map((one) => one[size].p99))} ms`
    }
    const ratio = median(fired.map(({ few, many }) => many.p99 / few.p99))
    console.log(`${name.padEnd(12)}${resultText('few')}; of ${MANY} ${resultText('many')}`)
    checkTarget(`  p99 of ${MANY} beside ${FEW}`, ratio, { atMost: 2 }, 'times')
  }

  const kinds = Object.values(searches)
  const { server, database } = await cpuTimePerCall(
    many.db,
    SHOTS * kinds.length,
    async () => {
      for (const search of kinds) await searchIn(many, search)
    },
    // The servers without the minimal server and the small registry.
    serverPids().slice(2),
  )
  console.log(`a search among ${MANY}: ${server.toFixed(2)} ms of the server, ${database.toFixed(2)} of the database`)

  const begun = performance.now()
  await few.db.query('reindex table indexed_services')
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  for (const { db, origin } of [few, many]) {
    const { rows } = await db.query(
      `select pg_size_pretty(pg_indexes_size('indexed_services')) as indexes,
        pg_size_pretty(pg_table_size('indexed_services')) as services,
        pg_size_pretty(pg_total_relation_size('registry_words')) as words`,
    )
    const [{ indexes, services, words }] = rows
    const metrics = await fetch(`${origin}/metrics`).then((answer) => answer.text())
    const resident = Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1]) / 2 ** 20
    console.log(`indexes ${indexes}, services ${services}, words ${words}; the server takes ${resident.toFixed(0)} MB`)
  }
  console.log(`the indexes of ${FEW} services are built in ${seconds} s`)
} finally {
  await stage.close()
}
