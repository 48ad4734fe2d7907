import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { compile } from '@fastify/proxy-addr'
import type { Means } from '../../protocol/means.ts'

/** A UUID; some proxies write it without hyphens. */
const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i

/** What a request is called in the log and in its answer: as a trusted proxy calls it, so that both logs tell one story. */
export function requestIds({ config }: Means<'config'>): (request: IncomingMessage) => string {
  const isTrusted = compile(config.trustProxy)
  return ({ headers: { 'x-request-id': given }, socket: { remoteAddress } }) =>
    typeof given === 'string' && UUID.test(given) && remoteAddress !== undefined && isTrusted(remoteAddress, 0)
      ? given
      : randomUUID()
}

/** The one form that a URN has of it. */
export const urnOf = (id: string): string =>
  `urn:uuid:${id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
