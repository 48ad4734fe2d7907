/** How soon a page of the booking begins to come, at 20 connections, beside a bare handler that reads 50 rows. */
import { type Fired, median, repeat, type Shot } from './support/load.ts'
import { fillCalendar, salon } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const SECONDS = 4
const CONNECTIONS = 20

const stage = await openStage()
const shop = await stage.serve('pages', salon())
const bare = await stage.serveBare()
await fillCalendar(shop.db, 1_000)

const WEEK = { service_id: 'svc_cut', start_date: '2026-01-01', end_date: '2027-01-01' }
const page = (path: string): Shot => ({ method: 'GET', path, headers: { 'accept-language': 'en' } })
const pages = { services: page('/book'), service: page('/book/svc_cut') }
const bareShot: Shot = {
  method: 'POST',
  path: '/query',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(WEEK),
}
const contenders = {
  bare: () => repeat(bare, bareShot, SECONDS, CONNECTIONS),
  services: () => repeat(shop.origin, pages.services, SECONDS, CONNECTIONS),
  service: () => repeat(shop.origin, pages.service, SECONDS, CONNECTIONS),
}
for (const run of Object.values(contenders)) await run()
const rounds: Record<keyof typeof contenders, Fired>[] = []
for (let round = 0; round < ROUNDS; round++)
  rounds.push({
    bare: await contenders.bare(),
    services: await contenders.services(),
    service: await contenders.service(),
  })
await stage.close()

const told = (name: keyof typeof contenders) => {
  const rate = median(rounds.map((round) => round[name].rate)).toFixed(0)
  return `${rate}/s, p99 ${median(rounds.map((round) => round[name].p99))} ms`
}
console.log(`bare Fastify and pg, 50 rows   ${told('bare')}`)
console.log(`services                       ${told('services')} (under 60)`)
console.log(`a service and its times        ${told('service')} (under 60)`)
