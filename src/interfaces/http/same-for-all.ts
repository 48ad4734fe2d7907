import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { gzipped, takesGzip } from './compressed.ts'
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
  const digest = hash('sha256', bytes, 'base64url')
  const cache = { 'cache-control': `${isPrivate ? 'private' : 'public'}, max-age=${keptFor}`, vary: 'accept-encoding' }
  const gainsByGzip = bytes.length > ONE_PACKET && type !== 'image/png'
  let packed: Promise<Buffer> | undefined
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const isPacked = gainsByGzip && takesGzip(request)
    // Other bytes, so another tag.
    const etag = isPacked ? `"${digest}-gzip"` : `"${digest}"`
    reply.headers({ ...cache, etag })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    reply.type(type)
    if (!isPacked) return reply.send(bytes)
    // By the first who asks for it, so that a server starts as soon.
    packed ??= gzipped(bytes, { level: 9 })
    return reply.header('content-encoding', 'gzip').send(await packed)
  }
}

/** Bytes: what goes in one packet comes no sooner for being shorter. */
const ONE_PACKET = 1_400
