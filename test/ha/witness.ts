import { randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type Answer, call } from '../../bench/support/call.ts'

/** A booking that was asked for, once or again, and how that was answered. */
export interface Attempt {
  /** When, in milliseconds of `performance.now()`. */
  at: number
  took: number
  /** 0 where whoever was asked broke off. */
  status: number
  /** Who turned it away without a word of when to try again, and what it said instead. */
  odd?: string
}

/** Somebody who asks for one booking after another whatever comes of it, each until it is answered, and writes down how long that takes. */
export interface Witness {
  attempts: Attempt[]
  /** When each booking was asked for the first time; a turn is left out while too many wait. */
  begun: number[]
  /** What was acknowledged. */
  booked: string[]
  /** Throws where a booking was refused, and not for being asked too soon. */
  ended: Promise<void>
  stop(): Promise<void>
}

interface Asked {
  path: string
  headers: Record<string, string>
  bodyOf(turn: number): object
}

const AGAIN = 250
const nothing: Answer = { status: 0, headers: {}, body: '' }
const agent = new Agent({ keepAlive: true })

export function startWitness(origins: readonly string[], asked: Asked, aSecond: number, atOnce = 64): Witness {
  const attempts: Attempt[] = []
  const booked: string[] = []
  const begun: number[] = []
  const underway = new Set<Promise<void>>()
  let isOver = false
  let failure: unknown
  const attempt = async (origin: string, headers: Record<string, string>, sent: string) => {
    const at = performance.now()
    const options = { method: 'POST', agent, headers }
    const answer = await call(`${origin}/usp/v1${asked.path}`, sent, options).catch(() => nothing)
    const { status, headers: told, body } = answer
    const isOdd = status === 503 && !(Number(told['retry-after']) > 0)
    attempts.push({ at, took: performance.now() - at, status, ...(isOdd && { odd: `${origin}: ${body}` }) })
    return answer
  }
  const insist = async (turn: number) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...asked.headers }
    const wish = JSON.stringify(asked.bodyOf(turn))
    for (let again = turn; ; again++) {
      const { status, body } = await attempt(origins[again % origins.length] ?? '', headers, wish)
      if (status === 201) return void booked.push(JSON.parse(body).booking.id)
      if (status > 0 && status < 500) throw new Error(`A booking was answered with ${status}: ${body}`)
      await setTimeout(AGAIN)
    }
  }
  const run = async () => {
    const began = performance.now()
    for (let turn = 0; !isOver && failure === undefined; turn++) {
      await setTimeout(Math.max(1, began + (turn * 1_000) / aSecond - performance.now()))
      if (underway.size >= atOnce) continue
      begun.push(performance.now())
      const one: Promise<void> = insist(turn)
        .catch((error) => {
          failure ??= error
        })
        .finally(() => underway.delete(one))
      underway.add(one)
    }
    await Promise.all(underway)
    if (failure) throw failure
  }
  const ended = run()
  ended.catch(() => {}) // It is heard by whoever waits for it.
  return {
    attempts,
    begun,
    booked,
    ended,
    async stop() {
      isOver = true
      await ended
    },
  }
}
