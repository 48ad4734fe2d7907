import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/**
 * Sends one request. This function uses less CPU time than `fetch`, which matters because the caller shares the cores
 * with the server.
 */
export async function call(url: string, body: string | undefined, options: RequestOptions): Promise<Answer> {
  const clientRequest = request(url, options)
  clientRequest.end(body)
  const [answer]: IncomingMessage[] = await once(clientRequest, 'response')
  if (!answer) throw new Error(`There is no answer from ${url}`)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
}
