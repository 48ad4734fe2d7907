/**
 * Fifty callers want the same slot at once, two hundred times. In each round, exactly one caller must get the slot.
 * Measures how long a round takes.
 */
import { Agent } from 'node:http'
import { type Answer, call } from './support/call.ts'
import { checkTarget } from './support/check-target.ts'
import { median, type PreparedRequest } from './support/load.ts'
import { openPlatform } from './support/platform.ts'
import { business, callWithEachKey, service, slotsOf, staff } from './support/salon.ts'
import { openStage } from './support/stage.ts'

const RACERS = 50
const ROUNDS = 200
/** The number of rounds before the measurement, because a new server is slower. */
const WARMING = 5
/** With this many services, no key exceeds its limit of active holds. */
const SERVICES = 100

const stage = await openStage()
const platform = await openPlatform(RACERS)
const agent = new Agent({ keepAlive: true, maxSockets: RACERS })
try {
  const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
  const { origin, db } = await stage.serve('race', business(services, SERVICES))
  await callWithEachKey({ origin }, platform)
  const slots = await slotsOf({ origin }, services, WARMING + ROUNDS)
  const times: number[] = []
  for (const [round, slot] of slots.entries()) {
    const holdInput = { slot_id: slot.id, service_id: slot.service_id }
    const shots = await Promise.all(
      platform.keys.map((key) => platform.sign(key, origin, '/usp/v1/availability/holds', holdInput)),
    )
    const begun = performance.now()
    const answers = await Promise.all(shots.map((shot) => fire(origin, shot)))
    if (round >= WARMING) times.push(performance.now() - begun)
    const won = answers.filter(({ status }) => status === 201)
    const lost = answers.filter(({ status, body }) => status === 200 && body.includes('"slot_unavailable"'))
    if (won.length !== 1 || lost.length !== RACERS - 1)
      throw new Error(`${won.length} won and ${lost.length} lost: ${answers.map(({ status }) => status)}`)
  }
  const { rows } = await db.query('select deadlocks from pg_stat_database where datname = current_database()')
  console.log(`${RACERS} racers for one slot, ${ROUNDS} rounds: one winner each`)
  console.log(`median ${median(times).toFixed(0)} ms`)
  checkTarget('longest', Math.max(...times), { atMost: 250 }, 'ms')
  checkTarget('deadlocks', Number(rows[0].deadlocks), { atMost: 0 })
} finally {
  agent.destroy()
  platform.close()
  await stage.close()
}

function fire(origin: string, { method, path, headers, body }: PreparedRequest): Promise<Answer> {
  return call(origin + path, body, { method, headers, agent })
}
