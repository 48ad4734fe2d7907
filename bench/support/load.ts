import { setTimeout as pass } from 'node:timers/promises'
import autocannon from 'autocannon'

/** What goes over the wire, made ready before the clock starts. */
export interface Shot {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
}

export interface Fired {
  /** Answers a second. */
  rate: number
  /** Milliseconds. */
  p99: number
}

export const CONNECTIONS = 10

/** Fires one and returns what the answer says. */
export async function shoot(origin: string, path: string, input: object) {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(input) })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** Fires the same request for so many seconds. */
export const repeat = (origin: string, shot: Shot, seconds: number): Promise<Fired> =>
  fire({ ...shot, url: origin + shot.path, connections: CONNECTIONS, duration: seconds }, 200)

/** What came back for a request, for whatever follows from it. */
export interface Answer {
  body: string
  /** Where it leads. */
  location: string
}

/** Fires each request once, dealt out to the connections by turns; every answer must have the status. They are as the requests are. */
export async function fireAll(
  origin: string,
  shots: Shot[],
  status: number,
  connections = CONNECTIONS,
): Promise<Fired & { answers: Answer[] }> {
  const answers: Answer[] = []
  const asked = shots.map((shot, index) => ({
    ...shot,
    onResponse(_: number, body: string, __: object, headers: Record<string, string>) {
      answers[index] = { body, location: headers.location ?? '' }
    },
  }))
  let next = 0
  const setupClient = (client: { setRequests(requests: Shot[]): void }) => {
    const turn = next++
    client.setRequests(asked.filter((_, index) => index % connections === turn))
  }
  const fired = await fire({ url: origin, connections, amount: shots.length, setupClient }, status)
  return { ...fired, answers }
}

/** The clock stops at the last answer: the run itself ends on a whole second only. */
async function fire(options: autocannon.Options, status: number): Promise<Fired> {
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

export const median = (numbers: number[]) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1] ?? 0

export interface Paced {
  p50: number
  p99: number
  failed: number
}

/** Fires so many a second whether or not the ones before were answered, as people do. */
export async function paced(origin: string, shotOf: () => Shot, rate: number, seconds: number): Promise<Paced> {
  const taken: number[] = []
  const sent: Promise<void>[] = []
  const one = async ({ method, path, headers, body }: Shot) => {
    const begun = performance.now()
    const answer = await fetch(origin + path, { method, headers, ...(body !== undefined && { body }) })
    await answer.text()
    if (answer.ok) taken.push(performance.now() - begun)
  }
  const begun = performance.now()
  for (let nth = 0; nth < rate * seconds; nth++) {
    await pass(Math.max(0, begun + (nth * 1000) / rate - performance.now()))
    sent.push(one(shotOf()).catch(() => {}))
  }
  await Promise.all(sent)
  taken.sort((one, other) => one - other)
  const at = (share: number) => taken[Math.floor(taken.length * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), failed: sent.length - taken.length }
}
