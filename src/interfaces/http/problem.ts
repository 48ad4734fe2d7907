import type { FastifyReply } from 'fastify'
import { errors, type ProtocolCode, type ProtocolError } from '../../protocol/errors.ts'

const defaultRetryAfterSeconds: Partial<Record<ProtocolCode, number>> = {
  rate_limited: 60,
  hold_limit_exceeded: 60,
  service_unavailable: 5,
}

export function retryAfterOf({
  code,
  details: { retryAfter = defaultRetryAfterSeconds[code] },
}: ProtocolError): number | undefined {
  return retryAfter === undefined ? undefined : Math.max(1, Math.ceil(retryAfter))
}

/** Sends the error as RFC 9457 Problem Details. */
export function sendProblem(reply: FastifyReply, error: ProtocolError): FastifyReply {
  const { http, title } = errors[error.code]
  const { headers, retryAfter: _, ...members } = error.details
  const retryAfter = retryAfterOf(error)
  reply.request.refusal = error.code
  if (headers) reply.headers(headers)
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter)
  return reply
    .code(http)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send({
      type: `https://usp-protocol.dev/errors/${error.code.replaceAll('_', '-')}`,
      title,
      status: http,
      detail: error.message,
      instance: urnOf(reply.request.id),
      code: error.code,
      ...members,
    })
}

const urnOf = (id: string): string =>
  `urn:uuid:${id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`
