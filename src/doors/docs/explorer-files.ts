import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { RouteHandlerMethod } from 'fastify'
import { recordOf } from '../../basics/record-of.ts'
import { remember } from '../../basics/remember.ts'
import { sameForAll } from '../http/same-for-all.ts'

const FOLDER = new URL('static/', import.meta.resolve('@fastify/swagger-ui'))
/** Seconds. */
const KEPT_FOR = 3600

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** The files of the page at /docs, each read once. */
const filesIn = remember(
  1,
  (folder: URL) =>
    new Map(
      readdirSync(folder).flatMap((name) => {
        const type = types[extname(name)]
        const content = () => readFileSync(new URL(name, folder))
        return type ? [[name, sameForAll({ type, content: content(), keptFor: KEPT_FOR })]] : []
      }),
    ),
)

export function explorerFiles(): RouteHandlerMethod {
  const files = filesIn(FOLDER)
  return (request, reply) => {
    const file = files.get(String(recordOf(request.params)['*']))
    return file ? file(request, reply) : reply.callNotFound()
  }
}
