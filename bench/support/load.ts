import { setTimeout as pass } from 'node:timers/promises'
import autocannon from 'autocannon'

/** A prepared request. The measurement does not include its preparation. */
export interface PreparedRequest {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface FireResult {
  rate: number
  /** The 99th percentile of the response times, in milliseconds. */
  p99: number
}

export const CONNECTIONS = 10

export async function shoot(origin: string, path: string, input: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(input) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

export const repeat = (origin: string, shot: PreparedRequest, seconds: number): Promise<FireResult> =>
  fire({ ...shot, url: origin + shot.path, connections: CONNECTIONS, duration: seconds }, 200)

export interface Answer {
  body: string
  location: string
}

/**
 * Sends each request once, over several connections. Each answer must have this HTTP status. The answers are in the
 * order of the requests.
 */
export async function fireAll(
  origin: string,
  shots: PreparedRequest[],
  status: number,
  connections = CONNECTIONS,
): Promise<FireResult & { answers: Answer[] }> {
  const answers: Answer[] = []
  const tracked = shots.map((shot, index) => ({
    ...shot,
    onResponse(_: number, body: string, __: object, headers: Record<string, string>) {
      answers[index] = { body, location: headers.location ?? '' }
    },
  }))
  let next = 0
  const setupClient = (client: { setRequests(requests: PreparedRequest[]): void }) => {
    const turn = next++
    client.setRequests(tracked.filter((_, index) => index % connections === turn))
  }
  const fired = await fire({ url: origin, connections, amount: shots.length, setupClient }, status)
  return { ...fired, answers }
}

/** Sends each request once at a fixed rate, and does not wait for earlier answers. People behave in the same way. */
export async function spreadAll(
  origin: string,
  shots: PreparedRequest[],
  status: number,
  rate: number,
): Promise<FireResult & { answers: Answer[] }> {
  const answers = await sendAtRate(origin, (nth) => shots[nth], { rate, count: shots.length })
  const other = answers.find((answer) => answer.status !== status)
  if (other) throw new Error(`Not all were answered with ${status}: ${other.status} ${other.body}`)
  return { rate, p99: Math.round(quantile(takenBy(answers), 0.99)), answers }
}

/** Measures the time until the last answer. The tool autocannon itself would measure until the next whole second. */
async function fire(options: autocannon.Options, status: number): Promise<FireResult> {
  const begun = performance.now()
  let ended = begun
  const {
    statusCodeStats = {},
    errors,
    latency,
    requests,
  } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)))
    run.on('response', () => {
      ended = performance.now()
    })
  })
  const good = new Map(Object.entries(statusCodeStats)).get(String(status))?.count ?? 0
  if (errors > 0 || good === 0 || Object.keys(statusCodeStats).length > 1)
    throw new Error(`Not all were answered with ${status}: ${JSON.stringify(statusCodeStats)}, ${errors} errors`)
  return { rate: requests.total / ((ended - begun) / 1000), p99: latency.p99 }
}

export const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length
export const median = (numbers: number[]) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0

/** Returns the numbers and the standard error of their mean as a text. */
export function withStandardError(numbers: number[], digits: number): string {
  const middle = mean(numbers)
  const error = Math.sqrt(mean(numbers.map((one) => (one - middle) ** 2)) / (numbers.length - 1))
  return `${numbers.map((one) => one.toFixed(digits)).join(', ')}; give or take ${error.toFixed(digits)}`
}

export interface PacedResult {
  p50: number
  p99: number
  failed: number
  taken: number[]
}

export async function fireAtRate(
  origin: string,
  shotOf: () => PreparedRequest,
  rate: number,
  seconds: number,
): Promise<PacedResult> {
  const answers = await sendAtRate(origin, shotOf, { rate, count: rate * seconds })
  const good = answers.filter(({ status }) => status >= 200 && status < 300)
  const taken = takenBy(good)
  const ms = (share: number) => Math.round(quantile(taken, share))
  return { p50: ms(0.5), p99: ms(0.99), failed: answers.length - good.length, taken }
}

interface Timed extends Answer {
  /** The HTTP status, or 0 if there is no answer. */
  status: number
  /** Milliseconds until the complete answer. */
  taken: number
}

async function sendAtRate(
  origin: string,
  shotOf: (nth: number) => PreparedRequest | undefined,
  { rate, count }: { rate: number; count: number },
): Promise<Timed[]> {
  const sent: Promise<Timed>[] = []
  const begun = performance.now()
  for (let nth = 0; nth < count; nth++) {
    await pass(Math.max(0, begun + (nth * 1000) / rate - performance.now()))
    const shot = shotOf(nth)
    if (shot) sent.push(one(origin, shot).catch((error) => ({ ...NO_ANSWER, body: String(error) })))
  }
  return Promise.all(sent)
}

const NO_ANSWER: Timed = { status: 0, taken: 0, body: '', location: '' }

async function one(origin: string, { method, path, headers, body }: PreparedRequest): Promise<Timed> {
  const begun = performance.now()
  const answer = await fetch(origin + path, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && { body }),
  })
  const result = { status: answer.status, location: answer.headers.get('location') ?? '', body: await answer.text() }
  return { ...result, taken: performance.now() - begun }
}

const takenBy = (answers: Timed[]) => answers.map(({ taken }) => taken)

/** Returns the quantile: the part `share` of the numbers is below this value. */
export const quantile = (numbers: number[], share: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)] ?? Number.NaN
