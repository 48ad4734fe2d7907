import { WebhookError } from './webhook-error.ts'
import type { FetchRequest, RawRequest, WebhookHeaders } from './webhook-request.ts'

export interface SignedMessage {
  method: string
  url: URL
  /** The header values, by their names in lower case. */
  headers: Map<string, string>
  body: Uint8Array<ArrayBuffer>
}

export async function readWebhookRequest(request: FetchRequest | RawRequest, url: string): Promise<SignedMessage> {
  if (!URL.canParse(url))
    throw new WebhookError('malformed', 'The url must be a whole address, such as https://platform.example/hook.')
  return {
    method: request.method,
    url: new URL(url),
    headers: headersIn(request.headers),
    body: await bodyOf(request),
  }
}

function headersIn(headers: WebhookHeaders): Map<string, string> {
  const found = new Map<string, string>()
  const add = (value: string, name: string): void => {
    if (/[\r\n\0]/.test(value)) throw new WebhookError('malformed', `The header ${name} has several lines.`)
    const before = found.get(name.toLowerCase())
    found.set(name.toLowerCase(), before === undefined ? value.trim() : `${before}, ${value.trim()}`)
  }
  if (typeof headers.forEach === 'function') headers.forEach(add)
  else for (const [name, values] of Object.entries(headers)) for (const value of [values ?? []].flat()) add(value, name)
  return found
}

async function bodyOf(request: FetchRequest | RawRequest): Promise<Uint8Array<ArrayBuffer>> {
  if ('arrayBuffer' in request) {
    const bytes = await request.arrayBuffer().catch(() => {
      throw new WebhookError('malformed', 'The body of the request was already read.')
    })
    return new Uint8Array(bytes)
  }
  const { body } = request
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return new Uint8Array(body)
  throw new WebhookError('malformed', 'The body must be the received text or bytes, and not the parsed JSON.')
}
