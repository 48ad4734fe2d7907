import { UnreachableError } from './client-errors.ts'

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

export interface HttpAnswer {
  status: number
  headers: Headers
  /** The parsed body of an HTTP answer. Undefined if the body is not JSON. */
  body: unknown
}

const TIMEOUT_MS = 30_000

/** Sends one HTTP request. Follows no redirects, because a signature or proof is valid for only one address. */
export async function send({ method, url, headers, body }: HttpRequest): Promise<HttpAnswer> {
  try {
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    return { status: response.status, headers: response.headers, body: parsed(isStream ? lastEvent(text) : text) }
  } catch (cause) {
    throw new UnreachableError(url, cause)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the data of the last event in an event stream. An MCP server can answer with a stream of events, and the last
 * event is the result.
 */
const lastEvent = (text: string) =>
  text
    .match(/^data:.*$/gm)
    ?.at(-1)
    ?.slice('data:'.length) ?? ''
