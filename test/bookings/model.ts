import { kinds, MINUTE, PLACES, TERMS, tables } from './model-shop.ts'

export type Owner = 'one' | 'other'

export interface Slot {
  id: string
  service_id: string
  start: number
  end: number
}

/** Whatever keeps time from others. */
interface Taking {
  /** The server's, once it has told it. */
  id: string
  owner: Owner
  slot: Slot
  party: number
  table: string | undefined
  expires: number | undefined
}

export interface Hold extends Taking {
  status: 'active' | 'released' | 'converted'
  booking: Booking | undefined
  movedFor: Booking | undefined
}

export interface Booking extends Taking {
  status: 'pending' | 'requires_action' | 'confirmed' | 'canceled'
  made: number
  moves: number
  due: number
  collected: number
  refunded: number
  canceled: { by: 'buyer' | 'system'; fee: number; refund: number; at: number } | undefined
  notes: string | undefined
}

/** What the server is expected to say: a code, or nothing when it does what it was asked. */
export type Verdict = string | undefined

type Room = { table: string | undefined } | { refused: 'slot_unavailable' | 'capacity_exceeded' }

/** The rules of booking, written down once more and as plainly as can be: no database, no clock, no money provider. */
export class Model {
  now: number
  holds: Hold[] = []
  bookings: Booking[] = []
  releases = 0

  constructor(now: number) {
    this.now = now
  }

  pass(minutes: number): void {
    this.now += minutes * MINUTE
    for (const booking of this.bookings)
      if (booking.expires !== undefined && booking.expires <= this.now)
        this.end(booking, 'system', 0, booking.collected - booking.refunded, booking.expires)
  }

  isLive = (hold: Hold) => hold.status === 'active' && Number(hold.expires) > this.now

  /** Everything that keeps time from others now. */
  takings(): Taking[] {
    return [...this.holds.filter(this.isLive), ...this.bookings.filter(({ status }) => status !== 'canceled')]
  }

  /** Who of these overlaps with a booking of the slot, what is kept free afterwards included. */
  around(slot: Slot, takes: string, apart: (Taking | undefined)[]): Taking[] {
    const until = ({ end, service_id }: Slot) => end + (kinds[service_id]?.after ?? 0)
    return this.takings().filter(
      (one) =>
        !apart.includes(one) &&
        kinds[one.slot.service_id]?.takes === takes &&
        one.slot.start < until(slot) &&
        slot.start < until(one.slot),
    )
  }

  /** How many more can come: people to a class, seats at tables, and one where one person serves. */
  remaining(slot: Slot, apart: (Taking | undefined)[] = []): number {
    const takes = kinds[slot.service_id]?.takes ?? 'ann'
    const others = this.around(slot, takes, apart)
    if (takes === 'ann') return others.length > 0 ? 0 : 1
    if (takes === 'places')
      return PLACES - others.filter((one) => one.slot.start === slot.start).reduce((sum, { party }) => sum + party, 0)
    return tables
      .filter(({ id }) => others.every(({ table }) => table !== id))
      .reduce((sum, { seats }) => sum + seats, 0)
  }

  room(slot: Slot, party: number, apart: (Taking | undefined)[]): Room {
    const remaining = this.remaining(slot, apart)
    if (remaining === 0) return { refused: 'slot_unavailable' }
    const takes = kinds[slot.service_id]?.takes
    if (takes === 'ann') return { table: undefined }
    if (takes === 'places') return remaining < party ? { refused: 'capacity_exceeded' } : { table: undefined }
    const others = this.around(slot, 'table', apart)
    const free = tables.filter(({ id, seats }) => seats >= party && others.every(({ table }) => table !== id))
    return free[0] ? { table: free[0].id } : { refused: 'capacity_exceeded' }
  }

  isTooSoon = ({ start }: Slot) => start - this.now < TERMS.notice

  hold(owner: Owner, slot: Slot, party: number): Hold | Verdict {
    if (this.isTooSoon(slot)) return 'booking_window_violated'
    const mine = this.holds.filter((hold) => hold.owner === owner && hold.slot.service_id === slot.service_id)
    if (mine.filter(this.isLive).length >= TERMS.holdsAtOnce) return 'hold_limit_exceeded'
    const room = this.room(slot, party, [])
    if ('refused' in room) return 'slot_unavailable'
    const expires = this.now + TERMS.hold
    const hold: Hold = {
      id: '',
      owner,
      slot,
      party,
      ...room,
      expires,
      status: 'active',
      booking: undefined,
      movedFor: undefined,
    }
    this.holds.push(hold)
    return hold
  }

  release(owner: Owner, hold: Hold): Verdict {
    if (hold.owner !== owner) return 'not_found'
    if (this.isLive(hold)) hold.status = 'released'
    this.releases++
  }

  book(owner: Owner, slot: Slot, party: number, hold: Hold | undefined): Booking | Verdict {
    if (hold && hold.owner !== owner) return 'validation_error'
    if (hold?.booking && hold.slot.id === slot.id) return hold.booking
    const room = this.take(slot, party, hold, undefined)
    if ('refused' in room) return room.refused
    const { manual = false, price = 0 } = kinds[slot.service_id] ?? {}
    const booking: Booking = {
      id: '',
      owner,
      slot,
      party,
      ...room,
      made: this.now,
      moves: 0,
      due: price,
      collected: 0,
      refunded: 0,
      status: manual ? 'pending' : price > 0 ? 'requires_action' : 'confirmed',
      expires: undefined,
      canceled: undefined,
      notes: undefined,
    }
    booking.expires = this.deadline(booking)
    if (hold) Object.assign(hold, { status: 'converted', booking })
    this.bookings.push(booking)
    return booking
  }

  /** Room for a booking, in place of what it has already and of a hold. */
  take(slot: Slot, party: number, hold: Hold | undefined, own: Booking | undefined): Room | { refused: string } {
    if (!hold) return this.isTooSoon(slot) ? { refused: 'booking_window_violated' } : this.room(slot, party, [own])
    if (hold.slot.id !== slot.id) return { refused: 'validation_error' }
    if (!this.isLive(hold)) return { refused: this.isFree(slot, party, own) ? 'hold_expired' : 'slot_unavailable' }
    if (party > hold.party) return { refused: 'capacity_exceeded' }
    if (hold.party === party || kinds[slot.service_id]?.takes === 'ann') return { table: hold.table }
    const room = this.room(slot, party, [own, hold])
    return 'refused' in room ? { refused: 'capacity_exceeded' } : room
  }

  /** Whether a caller could book the slot, or move to it, without a hold. */
  isFree = (slot: Slot, party: number, own: Booking | undefined) =>
    !this.isTooSoon(slot) && !('refused' in this.room(slot, party, [own]))

  deadline({ status, slot, made }: Booking): number | undefined {
    if (status === 'pending') return Math.min(made + TERMS.approval, slot.start)
    return status === 'requires_action' ? this.now + TERMS.payment : undefined
  }

  confirm(booking: Booking): Verdict {
    if (booking.status === 'confirmed') return undefined
    if (booking.status !== 'pending') return 'invalid_transition'
    Object.assign(booking, { status: 'confirmed', expires: undefined })
  }

  pay(owner: Owner, booking: Booking): Verdict {
    if (booking.owner !== owner) return 'booking_not_found'
    if (booking.canceled?.by === 'system')
      return kinds[booking.slot.service_id]?.price === undefined ? 'invalid_transition' : 'payment_expired'
    if (booking.status === 'confirmed') return 'already_confirmed'
    if (booking.status !== 'requires_action') return 'invalid_transition'
    const collected = booking.collected + booking.due
    Object.assign(booking, { status: 'confirmed', expires: undefined, collected, due: 0 })
  }

  update(owner: Owner, booking: Booking, notes: string): Verdict {
    if (booking.owner !== owner) return 'booking_not_found'
    if (booking.status === 'canceled') return 'invalid_transition'
    booking.notes = notes
  }

  isLate = ({ slot }: Booking) => slot.start - this.now < TERMS.freeUntil

  cancel(owner: Owner, booking: Booking): Verdict {
    if (booking.owner !== owner) return 'booking_not_found'
    if (booking.status === 'canceled') return 'invalid_transition'
    if (booking.status === 'confirmed' && booking.slot.start <= this.now) return 'cancellation_not_allowed'
    const net = booking.collected - booking.refunded
    const binding = booking.status === 'confirmed' || net > 0
    const fee = binding && this.isLate(booking) ? TERMS.lateCancellation : 0
    this.end(booking, 'buyer', fee, Math.max(0, net - fee), this.now)
  }

  end(booking: Booking, by: 'buyer' | 'system', fee: number, refund: number, at: number): void {
    const canceled = { by, fee, refund, at }
    const refunded = booking.refunded + refund
    Object.assign(booking, { status: 'canceled', expires: undefined, due: 0, refunded, canceled })
  }

  move(owner: Owner, booking: Booking, slot: Slot, hold: Hold | undefined): Verdict {
    if (booking.owner !== owner) return 'booking_not_found'
    if (booking.status !== 'confirmed' && booking.status !== 'pending') return 'invalid_transition'
    if (booking.slot.start <= this.now) return 'reschedule_not_allowed'
    if (hold && hold.owner !== owner) return 'validation_error'
    if (slot.id === booking.slot.id && (!hold || hold.movedFor === booking || hold.booking === booking))
      return undefined
    if (booking.moves >= TERMS.mostMoves) return 'reschedule_limit_reached'
    if (slot.service_id !== booking.slot.service_id) return 'slot_unavailable'
    const room = this.take(slot, booking.party, hold, booking)
    if ('refused' in room) return room.refused
    const fee = this.isLate(booking) ? TERMS.lateMove : 0
    if (hold) Object.assign(hold, { status: 'converted', movedFor: booking })
    Object.assign(booking, { slot, ...room, moves: booking.moves + 1 })
    const isPaid = kinds[slot.service_id]?.price !== undefined
    if (isPaid && fee > 0) Object.assign(booking, { status: 'requires_action', due: fee })
    booking.expires = this.deadline(booking)
  }
}
