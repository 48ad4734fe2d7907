import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

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

export function startWitness(origins: readonly string[], asked: Asked, aSecond: number, atOnce = 64): Witness {
  const attempts: Attempt[] = []
  const booked: string[] = []
  const begun: number[] = []
  const underway = new Set<Promise<void>>()
  let isOver = false
  let failure: unknown
  const attempt = async (origin: string, headers: Record<string, string>, body: string) => {
    const at = performance.now()
    const answer = await post(`${origin}/usp/v1${asked.path}`, headers, body).catch(() => nothing)
    const { status, retryAfter, said } = answer
    const isOdd = status === 503 && !(retryAfter > 0)
    attempts.push({ at, took: performance.now() - at, status, ...(isOdd && { odd: `${origin}: ${said}` }) })
    return answer
  }
  const insist = async (turn: number) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID(), ...asked.headers }
    const body = JSON.stringify(asked.bodyOf(turn))
    for (let again = turn; ; again++) {
      const { status, said } = await attempt(origins[again % origins.length] ?? '', headers, body)
      if (status === 201) return void booked.push(JSON.parse(said).booking.id)
      if (status > 0 && status < 500) throw new Error(`A booking was answered with ${status}: ${said}`)
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
    ...{ attempts, begun, booked, ended },
    async stop() {
      isOver = true
      await ended
    },
  }
}

interface Answer {
  status: number
  retryAfter: number
  said: string
}

const nothing: Answer = { status: 0, retryAfter: 0, said: '' }
const agent = new Agent({ keepAlive: true })

/** By less work than `fetch` takes: who asks shares two processors with all that is asked. */
async function post(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
  const call = request(url, {
    method: 'POST',
    agent,
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
  })
  call.end(body)
  const [answer]: IncomingMessage[] = await once(call, 'response')
  if (!answer) return nothing
  const { statusCode = 0, headers: told } = answer
  return { status: statusCode, retryAfter: Number(told['retry-after']), said: await text(answer) }
}
