/**
 * Measures signed holds and bookings per second, all of which the caller could repeat safely. Compares them with a
 * minimal transaction, which inserts one row into the table of claims. A database constraint forbids overlapping
 * claims. A copy of this constraint on a separate table shows its cost alone. The throughput depends on other work on
 * the machine, but CPU time hardly does.
 */
import { checkTarget } from './support/check-target.ts'
import { type CpuTime, cpuTimePerCall } from './support/cpu-time-per-call.ts'
import { fireAll, median, type PreparedRequest } from './support/load.ts'
import { openPlatform, type Platform } from './support/platform.ts'
import { business, callWithEachKey, type Slot, service, slotsOf, staff } from './support/salon.ts'
import { openStage, type Served } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const WARM_UP = 3
const SHOTS = 900
/**
 * The number of concurrent callers. With fewer callers, the CPU is idle a fifth of the time, and latency limits the
 * throughput.
 */
const WRITERS = 30
const SERVICES = 50
const KEYS = 200
const STOPPED = { at: 0.3, why: 'docs/decisions/0101-performance-targets.md' }

type Fired = 'bare' | 'copy' | 'hold' | 'booking'

interface Written extends CpuTime {
  rate: number
}

const buyer = { first_name: 'Ann', last_name: 'Other', email: 'ann@example.com' }

const stage = await openStage()
const platform = await openPlatform(KEYS)
try {
  const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
  const server = await stage.serve('writes', business(services, SERVICES))
  const bare = await stage.serveBare()
  await callWithEachKey(server, platform)
  const slots = await slotsOf(server, services, (WARM_UP + ROUNDS) * SHOTS * 2)
  const next = signer(server, platform, slots)
  const write = async (origin: string, shots: PreparedRequest[]) => {
    const fire = () => fireAll(origin, shots, 201, WRITERS)
    const { done, ...spent } = await cpuTimePerCall(server.db, shots.length, fire)
    return { rate: done.rate, ...spent }
  }
  const rounds: Record<Fired, Written>[] = []
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const fired = {
      bare: await write(bare, bareShots('/ledger', round)),
      copy: await write(bare, bareShots('/claims', round)),
      hold: await write(server.origin, await next('/usp/v1/availability/holds', {})),
      booking: await write(server.origin, await next('/usp/v1/bookings', { buyer })),
    }
    if (round >= WARM_UP) rounds.push(fired)
  }
  const rate = (name: Fired) => median(rounds.map((round) => round[name].rate)).toFixed(0)
  const ratio = (name: Fired, to: Fired) => median(rounds.map((round) => round[name].rate / round[to].rate))
  const judge = (name: Fired) => {
    console.log(`${name}, signed and idempotent   ${rate(name)}/s, ${ratio(name, 'copy').toFixed(2)} times the copy`)
    checkTarget(
      `  ${name} beside the bare transaction`,
      ratio(name, 'bare'),
      { atLeast: 0.5, stopped: STOPPED },
      'times',
    )
  }
  const ms = (name: Fired, side: 'server' | 'database') => median(rounds.map((round) => round[name][side])).toFixed(2)
  const spent = (name: Fired) => `${ms(name, 'server')} ms of the server, ${ms(name, 'database')} ms of the database`
  console.log(`bare transaction, one row under the ledger's constraint   ${rate('bare')}/s`)
  console.log(`the same under a copy of it, on a table with nothing else ${rate('copy')}/s`)
  judge('hold')
  judge('booking')
  console.log(`processor time of a hold      ${spent('hold')}`)
  console.log(`of a booking                  ${spent('booking')}`)
} finally {
  platform.close()
  await stage.close()
}

/**
 * Returns a function that creates the next calls. Each call is for another slot. No key gets more than a few slots of
 * one service.
 */
function signer({ origin }: Served, { keys, sign }: Platform, slots: Slot[]) {
  let used = 0
  const nextShot = async (path: string, more: object): Promise<PreparedRequest[]> => {
    const [slot, key] = [slots[used], keys[(used + Math.floor(used / KEYS)) % KEYS]]
    used++
    if (!slot || !key) return []
    return [await sign(key, origin, path, { service_id: slot.service_id, slot_id: slot.id, ...more })]
  }
  return async (path: string, more: object) =>
    (await Promise.all(Array.from({ length: SHOTS }, () => nextShot(path, more)))).flat()
}

function bareShots(path: string, round: number): PreparedRequest[] {
  return Array.from({ length: SHOTS }, (_, index) => {
    const from = Date.UTC(2030, 0, 1) + Math.floor((round * SHOTS + index) / SERVICES) * 1_800_000
    const time = { from: new Date(from).toISOString(), to: new Date(from + 1_800_000).toISOString() }
    const body = JSON.stringify({ resource_id: `staff_${index % SERVICES}`, ...time })
    return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body }
  })
}
