import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** In a thread beside the one that answers everybody. */
export const gzipped = promisify(gzip)

/** Whether whoever asks says that they read it compressed. */
export const takesGzip = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  (headers['accept-encoding'] ?? '').split(',').some(isGzip)

function isGzip(accepted: string): boolean {
  const [coding = '', weight = 'q=1'] = accepted.toLowerCase().split(';')
  return coding.trim() === 'gzip' && Number(weight.trim().replace(/^q=/, '')) > 0
}

/** Characters from which on less to send is worth a millisecond of a processor. */
const LARGE = 32 * 1024
/** What a browser says where one of our own pages, or whoever sits before it, had it ask. */
const OWN = ['same-origin', 'none']

/**
 * A large page, compressed where no other site had it opened: a page with secrets in it, asked for again and again with guesses in
 * its address, would tell by its length which guess is right.
 */
export async function compressedPage(page: string, reply: FastifyReply): Promise<string | Buffer> {
  const { request } = reply
  const site = String(request.headers['sec-fetch-site'])
  if (page.length < LARGE || !OWN.includes(site) || !takesGzip(request)) return page
  reply.header('content-encoding', 'gzip')
  return gzipped(page, { level: 1 })
}
