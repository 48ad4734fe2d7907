import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Members } from '../caller/answer.ts'
import type { Caller } from '../caller/caller.ts'
import type { OperationName } from '../caller/operations.ts'

/** Milliseconds until a rival drops the connection of a call whose answer it wants to lose. */
const MAX_PATIENCE_MS = 40
const MAX_ATTEMPTS = 5

/** The booking that one rival got. */
export interface Won {
  rival: Rival
  bookingId: string
  booking: Members
}

/** A platform that wants the same slot as the others. It never books more than one place at a time. */
export class Rival {
  readonly caller: Caller
  /** A booking at another time that the rival moves to contested slots. */
  parked: Members | undefined

  constructor(caller: Caller) {
    this.caller = caller
  }

  /** Books the slot at once. */
  async book(wanted: Members, buyer: Members): Promise<Won | undefined> {
    return this.#won(await this.#send('book', { ...wanted, buyer }))
  }

  /** Holds the slot, then books it with the hold. */
  async holdAndBook(wanted: Members, buyer: Members): Promise<Won | undefined> {
    const held = await this.#send('hold', wanted)
    const hold = held.result?.hold as Members | undefined
    if (held.refusal || !hold) return undefined
    return this.#won(await this.#send('book', { ...wanted, buyer, hold_id: hold.id }))
  }

  /** Moves the parked booking to the slot. */
  async move(wanted: Members): Promise<Won | undefined> {
    const input = { booking_id: this.parked?.id, slot_id: wanted.slot_id }
    const won = this.#won(await this.#send('reschedule', input))
    if (won) this.parked = undefined
    return won
  }

  /**
   * Sends a change, and loses the first answer on purpose in every third call. Then it sends the same call again, with the
   * same idempotency key, until it knows the answer.
   */
  async #send(name: OperationName, input: Members): Promise<Answer> {
    const idempotencyKey = randomUUID()
    if (Math.random() < 1 / 3) {
      const signal = AbortSignal.timeout(Math.ceil(Math.random() * MAX_PATIENCE_MS))
      await this.caller.call(name, input, { idempotencyKey, signal }).catch(() => undefined)
    }
    for (let attempt = 1; ; attempt++)
      try {
        return await this.caller.call(name, input, { idempotencyKey })
      } catch (error) {
        if (attempt === MAX_ATTEMPTS) throw error
        await sleep(attempt * 100)
      }
  }

  #won({ result, refusal }: Answer): Won | undefined {
    const booking = result?.booking as Members | undefined
    return booking && !refusal ? { rival: this, bookingId: String(booking.id), booking } : undefined
  }
}
