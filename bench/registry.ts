/**
 * How fast a registry of 100 000 services of 10 000 businesses is searched, by each filter alone and by all of them
 * together, beside a bare handler that reads 50 rows; and what its index takes to build and to keep.
 */
import { fillDirectory, type Listed, sampleServices } from './support/directory.ts'
import { fireAll, median, type Shot } from './support/load.ts'
import { business, service, staff, WEEK } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SHOTS = 500
const BUSINESSES = 10_000
const SERVICES_EACH = 10

const shot = (path: string, input: object): Shot => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(input),
})

/** What somebody may have looked for who ends up with this service. */
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
  const server = await stage.serve('registry', definition)
  const bare = await stage.serveBare()
  await fillDirectory(server.db, BUSINESSES, SERVICES_EACH)
  const samples = await sampleServices(server.db, SHOTS)

  const contenders = {
    bare: () =>
      fireAll(
        bare,
        samples.map(() => shot('/query', { service_id: 'svc_cut', ...WEEK })),
        200,
      ),
    ...Object.fromEntries(
      Object.entries(searches).map(([name, search]) => {
        const shots = samples.map((sample) => shot('/usp/v1/registry/search_services', search(sample)))
        return [name, () => fireAll(server.origin, shots, 200)]
      }),
    ),
  }
  const rounds: Record<string, { rate: number; p99: number }[]> = {}
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, fire] of Object.entries(contenders)) {
      const fired = await fire()
      // The first is for warming up.
      if (round > 0) rounds[name] = [...(rounds[name] ?? []), fired]
    }
  for (const [name, fired] of Object.entries(rounds)) {
    const rate = median(fired.map(({ rate }) => rate)).toFixed(0)
    const p99 = median(fired.map(({ p99 }) => p99))
    console.log(`${name.padEnd(12)}${rate.padStart(6)}/s, p99 ${p99} ms${name === 'all' ? ' (under 50)' : ''}`)
  }

  const begun = performance.now()
  await server.db.query('reindex table indexed_services')
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const { rows } = await server.db.query(
    `select pg_size_pretty(pg_indexes_size('indexed_services')) as indexes,
      pg_size_pretty(pg_table_size('indexed_services')) as services,
      pg_size_pretty(pg_total_relation_size('registry_words')) as words`,
  )
  const [{ indexes, services, words }] = rows
  console.log(`indexes built in ${seconds} s: ${indexes}, beside ${services} of services and ${words} of words`)
  const metrics = await fetch(`${server.origin}/metrics`).then((answer) => answer.text())
  const resident = Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1])
  console.log(`the server itself takes ${(resident / 2 ** 20).toFixed(0)} MB`)
} finally {
  await stage.close()
}
