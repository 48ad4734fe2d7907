import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { RouteHandlerMethod } from 'fastify'
import { memoize } from '../../infra/util/memoize.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { fixedAnswer } from '../http/fixed-response.ts'

const CACHE_SECONDS = 3600

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/**
 * Returns a request handler that serves the files of a folder. The server reads each file only at its first request,
 * because all files together can exceed two megabytes.
 */
export function folderFiles(folder: URL): RouteHandlerMethod {
  const names = new Set(readdirSync(folder).filter((name) => types[extname(name)]))
  const fileOf = memoize(names.size, (name: string) => {
    const content = readFileSync(new URL(name, folder))
    return fixedAnswer({ type: types[extname(name)] ?? '', content, maxAgeSeconds: CACHE_SECONDS })
  })
  return (request, reply) => {
    const name = String(asRecord(request.params)['*'])
    return names.has(name) ? fileOf(name)(request, reply) : reply.callNotFound()
  }
}
