import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { protocolAt } from '../../protocol/base-url-paths.ts'
import { asProtocolError, errors, type ProtocolCode, ProtocolError, problemType } from '../../protocol/errors.ts'
import { wireCodesOf } from '../../protocol/http-and-rpc-error-codes.ts'

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

/** Sends an error as Problem Details (RFC 9457). */
export function sendProblem(reply: FastifyReply, error: ProtocolError): FastifyReply {
  const { title } = errors[error.code]
  const protocol = protocolOf(reply.request)
  const { http } = wireCodesOf(error.code, protocol)
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
      type: problemType(error.code),
      title,
      status: http,
      detail: error.message,
      instance: urnOf(reply.request.id),
      code: error.code,
      // UCP (Universal Commerce Protocol) clients read the text of an error in the property `content`.
      ...(protocol === 'ucp' && { content: error.message }),
      ...members,
    })
}

/** Finds the protocol (USP or UCP) of a request by its route. If no route matches, the URL of the request decides. */
const protocolOf = ({ routeOptions, url }: FastifyRequest) => protocolAt(routeOptions.url ?? url)

const urnOf = (id: string): string =>
  `urn:uuid:${id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`

const fastifyErrors: Record<string, () => ProtocolError> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () =>
    new ProtocolError('unsupported_media_type', 'Send the body as application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new ProtocolError('content_too_large', 'The body may have at most 1 MiB.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new ProtocolError('invalid_request', 'The length of the body differs from Content-Length.'),
}

export function handleErrors(app: FastifyInstance) {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = protocolErrorOf(error)
    if (errors[refusal.code].http >= 500) request.log.error({ err: error }, `A request failed with ${refusal.code}.`)
    return sendProblem(reply.headers(request.call?.answerHeaders ?? {}), refusal)
  })
  app.setNotFoundHandler((_, reply) => sendProblem(reply, addressNotFound()))
}

export const addressNotFound = () =>
  new ProtocolError('not_found', 'There is nothing at this address. See /docs for the addresses of this server.')

/**
 * Converts an error of Fastify or of a plugin to an error of the protocol. A status from 400 to 499 means that the
 * caller caused the error.
 */
const protocolErrorOf = (error: FastifyError) =>
  fastifyErrors[error.code]?.() ?? (isCallersFault(error) ? refused() : asProtocolError(error))

const isCallersFault = ({ statusCode = 500 }: FastifyError) => statusCode >= 400 && statusCode < 500
const refused = () => new ProtocolError('invalid_request', 'The server cannot answer the request in this form.')
