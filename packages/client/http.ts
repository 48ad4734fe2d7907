import { UnreachableError } from './error.ts'

export interface HttpRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string
}

export interface HttpAnswer {
  status: number
  headers: Headers
  /** The parsed JSON; undefined for any other body. */
  body: unknown
}

const TIMEOUT_MS = 30_000

/** Does not follow redirects: a signature or proof is valid for one address. */
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

/** MCP servers may answer with an event stream. Its last event is the result. */
const lastEvent = (text: string) =>
  text
    .match(/^data:.*$/gm)
    ?.at(-1)
    ?.slice('data:'.length) ?? ''
