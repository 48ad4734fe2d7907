import type { FastifyReply } from 'fastify'
import { errors, type ProtocolError } from '../protocol/errors.ts'

/** Sends the error as RFC 9457 Problem Details. */
export function sendProblem(reply: FastifyReply, error: ProtocolError): FastifyReply {
  const { http, title } = errors[error.code]
  const { retryAfter, headers, ...members } = error.details
  if (headers) reply.headers(headers)
  if (retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfter)))
  return reply
    .code(http)
    .header('cache-control', 'no-store')
    .type('application/problem+json')
    .send({
      type: `https://usp-protocol.dev/errors/${error.code.replaceAll('_', '-')}`,
      title,
      status: http,
      detail: error.message,
      instance: `urn:uuid:${reply.request.id}`,
      code: error.code,
      ...members,
    })
}
