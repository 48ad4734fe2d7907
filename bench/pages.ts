/**
 * How soon a page of the booking begins to come, and how soon a time is kept, at 20 connections, beside a bare handler that reads
 * 50 rows.
 */
import { fromElsewhere, page, press, timeButtons } from './support/browser.ts'
import { type Fired, fireAll, median, repeat, type Shot } from './support/load.ts'
import { day, fillCalendar, salon } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const SECONDS = 4
const CONNECTIONS = 20
const HELD_AT_ONCE = 600

const stage = await openStage()
const shop = await stage.serve('pages', salon(), { TRUST_PROXY: '127.0.0.1' })
const bare = await stage.serveBare()
await fillCalendar(shop.db, 1_000)

// So far ahead that no page shows what is kept meanwhile. Three stylists can be had at each, so each is pressed three times.
const days = Array.from({ length: 45 }, (_, index) => day(40 + index))
const once = await timeButtons(shop.origin, 'svc_cut', days)
const buttons = [...once, ...once, ...once].map(fromElsewhere)
const details = await press(shop.origin, buttons.shift() ?? page('/book'))
if (buttons.length < (ROUNDS + 1) * HELD_AT_ONCE) throw new Error(`${buttons.length} times are too few to keep`)

const YEAR = { service_id: 'svc_cut', start_date: '2026-01-01', end_date: '2027-01-01' }
const bareShot: Shot = {
  method: 'POST',
  path: '/query',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(YEAR),
}
const look = (path: string) => () => repeat(shop.origin, page(path), SECONDS, CONNECTIONS)
const contenders = {
  bare: () => repeat(bare, bareShot, SECONDS, CONNECTIONS),
  services: look('/book'),
  service: look('/book/svc_cut'),
  hold: () => fireAll(shop.origin, buttons.splice(0, HELD_AT_ONCE), 303, CONNECTIONS),
  details: look(details),
}
async function round(): Promise<Record<keyof typeof contenders, Fired>> {
  const [bare, services] = [await contenders.bare(), await contenders.services()]
  const [service, hold, details] = [await contenders.service(), await contenders.hold(), await contenders.details()]
  return { bare, services, service, hold, details }
}
await round()
const rounds: Record<keyof typeof contenders, Fired>[] = []
for (let count = 0; count < ROUNDS; count++) rounds.push(await round())
await stage.close()

const told = (name: keyof typeof contenders) => {
  const rate = median(rounds.map((round) => round[name].rate)).toFixed(0)
  return `${rate}/s, p99 ${median(rounds.map((round) => round[name].p99))} ms`
}
console.log(`bare Fastify and pg, 50 rows   ${told('bare')}`)
console.log(`services                       ${told('services')} (under 60)`)
console.log(`a service and its times        ${told('service')} (under 60)`)
console.log(`a time is kept                 ${told('hold')} (under 60)`)
console.log(`who comes                      ${told('details')} (under 60)`)
