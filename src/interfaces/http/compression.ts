import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Compresses bytes with gzip in the thread pool of Node, so that the compression does not block the event loop. */
export const gzipped = promisify(gzip)

export const acceptsGzip = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers['accept-encoding'] ?? '').split(',').some(isGzip)

function isGzip(accepted: string): boolean {
  const [coding = '', weight = 'q=1'] = accepted.toLowerCase().split(';')
  return coding.trim() === 'gzip' && Number(weight.trim().replace(/^q=/, '')) > 0
}

/**
 * The minimum length of a page that the server compresses, in characters. Compressing a shorter page is not worth the
 * CPU time.
 */
const COMPRESSED_FROM_CHARACTERS = 32 * 1024
/**
 * Values of the header `Sec-Fetch-Site` for two cases: a page of this server sent the request, or the user opened the
 * page directly.
 */
const OWN_SITES = ['same-origin', 'none']

/**
 * Compresses a large page, but not for requests from other sites. Otherwise, an attacker could put guesses into the URL
 * and compare the lengths of the answers. The lengths would reveal a secret in the page (BREACH attack).
 */
export async function compressedPage(page: string, reply: FastifyReply): Promise<string | Buffer> {
  const { request } = reply
  const site = String(request.headers['sec-fetch-site'])
  if (page.length < COMPRESSED_FROM_CHARACTERS || !OWN_SITES.includes(site) || !acceptsGzip(request)) return page
  reply.header('content-encoding', 'gzip')
  return gzipped(page, { level: 1 })
}
