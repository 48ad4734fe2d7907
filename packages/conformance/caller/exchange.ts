import { setTimeout as sleep } from 'node:timers/promises'

/** One HTTP request and its answer. Reports show them as evidence. */
export interface Exchange {
  request: { method: string; url: string; headers: Record<string, string>; body: string | undefined }
  answer: { status: number; headers: Record<string, string>; body: string } | undefined
  milliseconds: number
}

const TIMEOUT_MS = 30_000
/** In bytes. A longer answer counts as a fault of the server. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024
const MAX_WAIT_SECONDS = 65
const MAX_ATTEMPTS = 8

export interface SendOptions {
  /** True: the check gets an answer with HTTP 429. False: the suite waits and repeats the request. */
  seesRateLimits?: boolean | undefined
  /** A signal that closes the connection before the answer arrives. */
  signal?: AbortSignal | undefined
}

/** Sends an HTTP request, and records the request and the answer. Never follows a redirect. */
export async function send(
  create: () => Exchange['request'],
  record: (exchange: Exchange) => void,
  { seesRateLimits = false, signal }: SendOptions = {},
): Promise<NonNullable<Exchange['answer']>> {
  for (let attempt = 1; ; attempt++) {
    // The server accepts a proof only once. Therefore each attempt needs a new request.
    const answer = await sendOnce(create(), record, signal)
    const wait = secondsToWait(answer)
    if (wait === undefined || seesRateLimits || wait > MAX_WAIT_SECONDS || attempt === MAX_ATTEMPTS) return answer
    await sleep(Math.max(1, wait) * 1000)
  }
}

async function sendOnce(request: Exchange['request'], record: (exchange: Exchange) => void, signal?: AbortSignal) {
  const start = performance.now()
  const exchange: Exchange = { request, answer: undefined, milliseconds: 0 }
  record(exchange)
  try {
    const { method, url, headers, body } = request
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]),
      ...(body !== undefined && { body }),
    })
    exchange.answer = {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await boundedText(response),
    }
    return exchange.answer
  } finally {
    exchange.milliseconds = Math.round(performance.now() - start)
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new Error(`The answer has more than ${MAX_ANSWER_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/**
 * The seconds to wait before the next attempt. Undefined if the server did not refuse the request because of rate or
 * load.
 */
function secondsToWait({ status, headers, body }: NonNullable<Exchange['answer']>): number | undefined {
  const isOverloaded = status === 503 || body.includes('"service_unavailable"')
  if (isOverloaded && headers['retry-after'] !== undefined) return Number(headers['retry-after']) || undefined
  // Over MCP, a server refuses too many calls with HTTP 200 and a JSON-RPC error.
  if (status !== 429 && !body.includes('"rate_limited"')) return undefined
  const seconds = Number(headers['retry-after'])
  return Number.isFinite(seconds) ? seconds : 5
}
