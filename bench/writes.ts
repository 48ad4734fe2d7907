/**
 * How many holds and bookings a second, signed and repeatable, beside a bare transaction that inserts one claim: into a
 * table with nothing but the ledger's exclusion constraint, and into the ledger's own, with its journal and other indexes.
 */
import { fireAll, median, type Shot } from './support/load.ts'
import { openPlatform, type Platform } from './support/platform.ts'
import { business, introduce, type Slot, service, slotsOf, staff } from './support/salon.ts'
import { openStage, type Served } from './support/stage.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)
const SHOTS = 1_000
const SERVICES = 50
const KEYS = 100

type Fired = 'bare' | 'ledger' | 'hold' | 'booking'

const buyer = { first_name: 'Ann', last_name: 'Other', email: 'ann@example.com' }

const stage = await openStage()
const platform = await openPlatform(KEYS)
try {
  const services = staff(SERVICES).map((one) => service(`svc_${one}`, [one]))
  const server = await stage.serve('writes', business(services, SERVICES))
  const bare = await stage.serveBare()
  await introduce(server, platform)
  const slots = await slotsOf(server, services, (ROUNDS + 1) * SHOTS * 2)
  const next = signer(server, platform, slots)
  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    const fired = {
      bare: await fireAll(bare, bareShots('/claims', round), 201),
      ledger: await fireAll(bare, bareShots('/ledger', round), 201),
      hold: await fireAll(server.origin, next('/usp/v1/availability/holds', {}), 201),
      booking: await fireAll(server.origin, next('/usp/v1/bookings', { buyer }), 201),
    }
    // The first is for warming up.
    if (round > 0) rounds.push(fired)
  }
  const rate = (name: Fired) => median(rounds.map((round) => round[name].rate)).toFixed(0)
  const ratio = (name: Fired, to: Fired) => median(rounds.map((round) => round[name].rate / round[to].rate)).toFixed(2)
  const ratios = (name: Fired) =>
    `${rate(name)}/s, ratio ${ratio(name, 'bare')} (at least 0.35); to the ledger's own table ${ratio(name, 'ledger')}`
  console.log(`bare transaction, one claim           ${rate('bare')}/s`)
  console.log(`the same into the ledger's own table  ${rate('ledger')}/s`)
  console.log(`hold, signed and idempotent   ${ratios('hold')}`)
  console.log(`booking, likewise             ${ratios('booking')}`)
} finally {
  platform.close()
  await stage.close()
}

/** The next thousand calls, each for a slot of its own; no key has more than a few of one service. */
function signer({ origin }: Served, { keys, sign }: Platform, slots: Slot[]) {
  let used = 0
  const nextShot = (path: string, more: object): Shot[] => {
    const [slot, key] = [slots[used], keys[Math.floor(used / SERVICES) % KEYS]]
    used++
    return slot && key ? [sign(key, origin, path, { service_id: slot.service_id, slot_id: slot.id, ...more })] : []
  }
  return (path: string, more: object) => Array.from({ length: SHOTS }, () => nextShot(path, more)).flat()
}

function bareShots(path: string, round: number): Shot[] {
  return Array.from({ length: SHOTS }, (_, index) => {
    const from = Date.UTC(2030, 0, 1) + Math.floor((round * SHOTS + index) / SERVICES) * 1_800_000
    const time = { from: new Date(from).toISOString(), to: new Date(from + 1_800_000).toISOString() }
    const body = JSON.stringify({ resource_id: `staff_${index % SERVICES}`, ...time })
    return { method: 'POST', path, headers: { 'content-type': 'application/json' }, body }
  })
}
