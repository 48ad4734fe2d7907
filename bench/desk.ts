/**
 * Measures how long the desk (the pages for the staff) loads a day with 40 people and 400 bookings. Reports the
 * server's time, the bytes, and the time until the page is complete: loaded, scripts run, laid out and painted. Each
 * load uses a new Chromium tab without a cache. Other work on the machine slows this down, so the report contains also
 * the shortest time and the CPU time. Also measures the idle server with many open desks.
 */
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright-core'
import { secretDigest } from '../src/core/keys/encrypt-secrets.ts'
import { DESK_SCRIPTS, DESK_STYLE } from '../src/interfaces/desk/desk-page.ts'
import { checkTarget } from './support/check-target.ts'
import { median } from './support/load.ts'
import { business, day, service, staff } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const PEOPLE = 40
const EACH = 10
const OPEN = 50
const REST_MS = Number(process.env.BENCH_REST_MS ?? 20_000)
/**
 * Both programs load the same pages. The second program also has windows, which two CPU cores draw without a graphics
 * card.
 */
const CHROMIUM = [
  ['in Chromium', '/usr/bin/chromium-headless-shell'],
  ['with its windows', '/usr/bin/chromium'],
] as const
const SECRET = 'desk_bench'
const METRICS_TOKEN = 'only-for-this-bench'

const stage = await openStage()
const salon = business([service('svc_cut', staff(PEOPLE))], PEOPLE)
const { origin, db } = await stage.serve('desk', salon, { METRICS_TOKEN })

await db.query(
  `insert into staff (id, name, role, token_hash, created_at) values ('stf_b', 'Bench', 'owner', $1, now())`,
  [secretDigest('none')],
)
await db.query(
  `insert into staff_sessions (digest, id, staff_id, device, created_at, expires_at)
    values ($1, 'ses_b', 'stf_b', '', now(), now() + interval '1 day')`,
  [secretDigest(SECRET)],
)
await db.query(
  `insert into bookings (id, revision, principal, profile, service_id, status, starts_at, ends_at, resource_ids,
      record, people, search_text, created_at, updated_at, reminded_until)
    select 'bkg_' || person || '_' || number, 1, '', '', 'svc_cut', 'confirmed', starts, starts + interval '45 minutes',
      array['staff_' || person], $1, $2, '', now(), now(), now()
    from generate_series(1, ${PEOPLE}) person, generate_series(0, ${EACH - 1}) number,
      lateral (select $3::timestamptz + number * interval '1 hour' as starts) at`,
  [
    JSON.stringify({ service: { name: 'Haircut and style' }, zone: 'America/New_York', tasks: [], party_size: 1 }),
    JSON.stringify({ buyer: { first_name: 'Alexandra', last_name: 'Featherstonehaugh', email: 'a@example.com' } }),
    `${day(2)}T08:30:00-05:00`,
  ],
)

await db.query(
  `insert into claims (resource_id, during, holder_kind, holder_id)
    select unnest(resource_ids), tstzrange(starts_at, ends_at), 'booking', id from bookings`,
)

const path = `/desk?date=${day(2)}`
const cookie = `usp_desk=${SECRET}`
const pageText = async (what: string) => (await fetch(origin + what, { headers: { cookie } })).text()
/** Returns the server's CPU time until now, in milliseconds. */
async function worked(): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const metrics = await (await fetch(`${origin}/metrics`, { headers })).text()
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]) * 1000
}
const served: number[] = []
for (let round = 0; round < 5; round++) await pageText(path)
const before = await worked()
for (let round = 0; round < ROUNDS; round++) {
  const began = performance.now()
  await pageText(path)
  served.push(performance.now() - began)
}
const each = ((await worked()) - before) / ROUNDS
const shown = await pageText(path)
const parts = [shown, ...(await Promise.all([DESK_STYLE, ...DESK_SCRIPTS].map(pageText)))]
const bytes = parts.reduce((sum, text) => sum + gzipSync(text).length, 0)

/** Returns the milliseconds until the page is complete, and the CPU time of its main thread. */
async function completeIn(executablePath: string) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const complete: number[] = []
  const rendered: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    await context.addCookies([{ name: 'usp_desk', value: SECRET, url: origin }])
    const page = await context.newPage()
    // A timeout that starts in an animation frame runs after layout and painting.
    await page.addInitScript(
      `globalThis.complete = new Promise((done) =>
        addEventListener('load', () => requestAnimationFrame(() => setTimeout(() => done(performance.now())))))`,
    )
    const session = await context.newCDPSession(page)
    // Measures CPU time of the thread, because a busy machine lengthens wall-clock time.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.goto(origin + path)
    complete.push(await page.evaluate('complete'))
    const { metrics } = await session.send('Performance.getMetrics')
    rendered.push((metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000)
    await context.close()
  }
  await browser.close()
  return { complete, rendered }
}
const browsers: [string, Awaited<ReturnType<typeof completeIn>>][] = []
for (const [name, path] of CHROMIUM)
  if (existsSync(path)) browsers.push([name, await completeIn(path)])
  else console.log(`complete ${name}: not measured, there is no ${path}`)

/** Returns the share of one core that the idle server uses, in percent. */
async function atRest(): Promise<number> {
  const [begun, worked0] = [performance.now(), await worked()]
  await setTimeout(REST_MS)
  return (100 * ((await worked()) - worked0)) / (performance.now() - begun)
}
const alone = await atRest()
const ended = new AbortController()
const open = await Promise.all(
  Array.from({ length: OPEN }, () => fetch(`${origin}/desk/live`, { headers: { cookie }, signal: ended.signal })),
)
for (const { body } of open) body?.pipeTo(new WritableStream()).catch(() => {})
const withDesks = await atRest()
ended.abort()
await stage.close()

const things = shown.split('class="thing').length - 1
console.log(`${things} bookings of ${PEOPLE} people, median of ${ROUNDS}`)
checkTarget("the server's answer", median(served), { under: 60 }, 'ms')
console.log(`  of which it worked ${each.toFixed(0)} ms`)
checkTarget('compressed', bytes / 1000, { under: 150 }, 'kB')
for (const [name, { complete, rendered }] of browsers) {
  checkTarget(`complete ${name}`, median(complete), { under: 500 }, 'ms')
  console.log(`  ${Math.min(...complete).toFixed(0)} ms at best, of which it worked ${median(rendered).toFixed(0)} ms`)
}
checkTarget(`${OPEN} desks at rest`, withDesks, { under: 5 }, '% of a core')
console.log(`  without any ${alone.toFixed(1)} %`)
