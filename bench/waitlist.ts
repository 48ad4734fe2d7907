/**
 * Measures how quickly offers reach a platform with a waitlist of 210 that changes twice a second. In each change, an
 * entry leaves, a place becomes free and is offered, or an offer is accepted. New entries join too. The platform needs
 * 20 ms for each event.
 */
import { once } from 'node:events'
import { createServer } from 'node:https'
import { text } from 'node:stream/consumers'
import { setTimeout as pass } from 'node:timers/promises'
import { createClient, generateKey, publishedKey } from '../packages/client/index.ts'
import { loopbackCertificate } from '../src/core/egress/development/loopback-certificate.ts'
import { capabilities, VERSION } from '../src/protocol/capabilities.ts'
import type { WaitlistEntry } from '../src/protocol/types.generated.ts'
import { checkTarget } from './support/check-target.ts'
import { median } from './support/load.ts'
import { business, service } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const SECONDS = Number(process.env.BENCH_SECONDS ?? 60)
const STEPS_A_SECOND = 2
const IN_LINE = 210
const PLACES = 20
const ANSWER_MS = 20
const CLASS = 'svc_class'

interface ReceivedEvent {
  event: string
  entry_id: string
  /** The milliseconds from the event to its arrival at the platform. */
  late: number
  position: number
}
const receivedEvents: ReceivedEvent[] = []

const key = await generateKey('ES256')
const members = Object.fromEntries(Object.entries(capabilities).map(([name, entry]) => [name, [entry]]))
const platform = createServer(loopbackCertificate(), async (request, response) => {
  if (request.method === 'GET') {
    const profile = {
      usp: { version: VERSION, capabilities: members },
      keys: [await publishedKey(key)],
      webhook_url: `${url}/hook`,
    }
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'max-age=3600' })
    response.end(JSON.stringify(profile))
    return
  }
  const at = Date.now()
  const { event, entry_id, timestamp, data } = JSON.parse(await text(request))
  if (entry_id) receivedEvents.push({ event, entry_id, late: at - Date.parse(timestamp), position: data.position })
  await pass(ANSWER_MS)
  response.writeHead(204).end()
}).listen(0, '127.0.0.1')
await once(platform, 'listening')
const address = platform.address()
const url = `https://127.0.0.1:${typeof address === 'object' && address?.port}`

const stage = await openStage()
try {
  const everyDay = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
  const { resources: _, ...rest } = service(CLASS, [])
  const crowded = {
    ...rest,
    type: 'group' as const,
    capacity: { max: PLACES, waitlist: true },
    sessions: [{ days: [...everyDay], starts: '10:00' }],
  }
  const { origin, db } = await stage.serve('waitlist', business([crowded], 1))
  const calls = createClient({
    baseUrl: origin,
    platformProfile: `${url}/profile.json`,
    key,
    authentication: 'signature',
  })
  const buyer = (nth: number) => ({ first_name: 'Ann', last_name: 'Other', email: `ann${nth}@example.com` })
  let people = 0

  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const { slots = [] } = await calls.queryAvailability({ service_id: CLASS, start_date: day, end_date: day })
  const slot_id = slots[0]?.id ?? ''
  const bookingInput = { service_id: CLASS, slot_id }
  const bookings: string[] = []
  const keep = (id: string | undefined, what: string) => {
    if (id === undefined) throw new Error(`There is no ${what}`)
    return id
  }
  for (let place = 0; place < PLACES; place++) {
    const { booking } = await calls.createBooking({ ...bookingInput, buyer: buyer(people++) })
    bookings.push(keep(booking?.id, 'booking'))
  }
  const line: string[] = []
  /** The last position that the platform received for each entry. */
  const positions = new Map<string, number>()
  const join = async () => {
    const { entry } = await calls.joinWaitlist({ ...bookingInput, buyer: buyer(people++) })
    line.push(keep(entry?.id, 'entry'))
    if (entry) positions.set(entry.id, entry.position)
  }
  const leave = async () => {
    const [entry_id = ''] = line.splice(Math.floor(Math.random() * line.length), 1)
    await calls.leaveWaitlist({ entry_id })
    await join()
  }
  const offer = async () => {
    await calls.cancelBooking({ booking_id: bookings.shift() ?? '' })
  }
  const accept = async () => {
    const { entries = [] } = await calls.listWaitlistEntries({ service_id: CLASS, status: 'offered' })
    for (const { id: entry_id } of entries) {
      line.splice(line.indexOf(entry_id), 1)
      const { booking } = await calls.acceptOffer({ entry_id })
      bookings.push(keep(booking?.id, 'booking'))
      await join()
    }
  }
  while (line.length < IN_LINE) await join()

  const begun = performance.now()
  const steps = [leave, offer, accept]
  let slowest = 0
  for (let step = 0; step < SECONDS * STEPS_A_SECOND; step++) {
    await pass(Math.max(0, begun + (step * 1000) / STEPS_A_SECOND - performance.now()))
    const from = performance.now()
    await steps[step % steps.length]?.()
    slowest = Math.max(slowest, performance.now() - from)
  }
  const inTime = receivedEvents.length
  const waiting = async () =>
    Number((await db.query("select count(*) from deliveries where status = 'waiting'")).rows[0].count)
  const left = await waiting()
  for (const end = performance.now() + 300_000; (await waiting()) > 0 && performance.now() < end; ) await pass(200)

  for (const { entry_id, position } of receivedEvents) positions.set(entry_id, position)
  const mismatched: WaitlistEntry[] = []
  for (const entry_id of line) {
    const { entry } = await calls.getWaitlistEntry({ entry_id })
    if (entry && positions.get(entry_id) !== entry.position) mismatched.push(entry)
  }
  if (mismatched.length > 0) throw new Error(`The platform knows another position of ${mismatched.length}`)

  const late = (event: string) =>
    receivedEvents.filter((one) => one.event === `waitlist.${event}`).map((one) => one.late)
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`
  const says = (what: string, all: number[]) =>
    console.log(`${all.length} ${what}: median ${seconds(median(all))} late, at most ${seconds(Math.max(...all))}`)
  console.log(
    `${IN_LINE} in line, ${SECONDS} s: ${inTime} deliveries in that time, ${left} left, ${receivedEvents.length} in all`,
  )
  console.log(`slowest step: ${slowest.toFixed(0)} ms`)
  says('positions', late('position_changed'))
  const offers = late('spot_offered')
  says('offers', offers)
  const { rows } = await db.query('select deadlocks from pg_stat_database where datname = current_database()')
  checkTarget('deadlocks', Number(rows[0].deadlocks), { atMost: 0 })
  checkTarget('an offer at the latest', Math.max(...offers), { atMost: 2_000 }, 'ms')
} finally {
  platform.closeAllConnections()
  platform.close()
  await stage.close()
}
