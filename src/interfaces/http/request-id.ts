import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { compile } from '@fastify/proxy-addr'
import type { Dependencies } from '../../protocol/dependencies.ts'

/** A UUID. Some proxies write it without hyphens. */
const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i

/**
 * The id of a request in the log and in its answer. The server uses the id of a trusted proxy: both logs then have the same
 * id.
 */
export function requestIds({ config }: Dependencies<'config'>): (request: IncomingMessage) => string {
  const isTrusted = compile(config.trustProxy)
  return ({ headers: { 'x-request-id': given }, socket: { remoteAddress } }) =>
    typeof given === 'string' && UUID.test(given) && remoteAddress !== undefined && isTrusted(remoteAddress, 0)
      ? given
      : randomUUID()
}
