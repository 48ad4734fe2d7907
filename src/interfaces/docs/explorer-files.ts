import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import type { RouteHandlerMethod } from 'fastify'
import { recordOf } from '../../infra/util/record-of.ts'
import { remember } from '../../infra/util/remember.ts'
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

/** The files of /docs, each read on its first request: together they exceed two megabytes. */
const names = new Set(readdirSync(FOLDER).filter((name) => types[extname(name)]))
const fileOf = remember(names.size, (name: string) => {
  const content = readFileSync(new URL(name, FOLDER))
  return sameForAll({ type: types[extname(name)] ?? '', content, keptFor: KEPT_FOR })
})

export const explorerFiles = (): RouteHandlerMethod => (request, reply) => {
  const name = String(recordOf(request.params)['*'])
  return names.has(name) ? fileOf(name)(request, reply) : reply.callNotFound()
}
