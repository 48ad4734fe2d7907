import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Members } from '../caller/answer.ts'
import type { Caller } from '../caller/caller.ts'
import type { OperationName } from '../caller/operations.ts'

/** In milliseconds. A rival closes the connection within this time, and loses the answer on purpose. */
const MAX_PATIENCE_MS = 40
const MAX_ATTEMPTS = 5

/** A booking that a rival made on the wanted slot. */
export interface Won {
  rival: Rival
  bookingId: string
}

/** A platform that competes with other platforms for the same slots. */
export class Rival {
  readonly caller: Caller
  /** A booking at another time. The rival can move this booking to a wanted slot. */
  parked: Members | undefined

  constructor(caller: Caller) {
    this.caller = caller
  }

  /** Books the slot without a hold. */
  async book(wanted: Members, buyer: Members): Promise<Won | undefined> {
    return this.#won(await this.#send('book', { ...wanted, buyer }))
  }

  /** Holds the slot, and then books it with the hold. */
  async holdAndBook(wanted: Members, buyer: Members): Promise<Won | undefined> {
    const held = await this.#send('hold', wanted)
    const hold = held.result?.hold as Members | undefined
    if (held.refusal || !hold) return undefined
    return this.#won(await this.#send('book', { ...wanted, buyer, hold_id: hold.id }))
  }

  /** Moves the booking `parked` to the slot. */
  async move(wanted: Members): Promise<Won | undefined> {
    const input = { booking_id: this.parked?.id, slot_id: wanted.slot_id }
    const won = this.#won(await this.#send('reschedule', input))
    if (won) this.parked = undefined
    return won
  }

  /**
   * Sends a change. In about every third case, the rival closes the first connection before the answer arrives. It then
   * repeats the call with the same idempotency key.
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
    return booking && !refusal ? { rival: this, bookingId: String(booking.id) } : undefined
  }
}
