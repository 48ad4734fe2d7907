import type { Booking } from './buyers.ts'
import type { Random } from './random.ts'
import type { Call } from './wire.ts'

/** Somebody at the desk who confirms, moves about and blocks time while the platforms book, and what the server answered. */
export interface Clerk {
  told: Booking[]
  step(): Promise<void>
}

const HALF_HOUR = 1_800_000

export function makeClerk(call: Call, { pick, next }: Random, opens: number): Clerk {
  const told: Booking[] = []
  const blocks: string[] = []
  const anyBooking = async (...statuses: string[]): Promise<Booking> =>
    pick((await call('usp_business_bookings_list', { statuses })).data.bookings ?? [])
  const anyTime = () => opens + Math.floor(next() * 16) * HALF_HOUR

  const acts: (() => Promise<void>)[] = [
    async () => {
      const booking = await anyBooking('pending')
      if (booking) keep(await call('usp_bookings_confirm', { booking_id: booking.id }))
    },
    async () => {
      const booking = await anyBooking('confirmed')
      if (booking) keep(await call('usp_business_bookings_cancel', { booking_id: booking.id, reason: 'Not today' }))
    },
    async () => {
      const [resource_id, start] = [pick(['ann', 'ben', 'room_1', 'room_2', 'table_4']), anyTime()]
      const time = { start: new Date(start).toISOString(), end: new Date(start + HALF_HOUR).toISOString() }
      const { data } = await call('usp_business_blocks_create', { resource_id, ...time })
      if (data?.block) blocks.push(data.block.id)
    },
    async () => {
      const block_id = blocks.shift()
      if (block_id) await call('usp_business_blocks_remove', { block_id })
    },
  ]
  const keep = ({ data }: { data: { booking?: Booking } }) => {
    if (data?.booking) told.push(data.booking)
  }
  return { told, step: async () => pick(acts)?.() }
}
