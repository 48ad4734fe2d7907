import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from './is-known.ts'

interface Fixed {
  type: string
  content: Buffer | string
  /** Seconds in which browsers and caches need not ask again. */
  keptFor: number
  /** Whether only browsers may keep it. */
  isPrivate?: boolean
}

/**
 * An answer that anybody may ask for and that is the same for all: there is one copy of it, however many ask for it and
 * read it slowly or never. To open a file for each would take the last of them in the end, and then nobody can connect.
 */
export function sameForAll({ type, content, keptFor, isPrivate = false }: Fixed) {
  const bytes = Buffer.from(content)
  const etag = `"${hash('sha256', bytes, 'base64url')}"`
  const cache = { 'cache-control': `${isPrivate ? 'private' : 'public'}, max-age=${keptFor}`, etag }
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    reply.headers(cache)
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type(type).send(bytes)
  }
}
