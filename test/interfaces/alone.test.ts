import type { FastifyInstance } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { makeMetrics } from '../../src/infra/telemetry/metrics.ts'
import { buildApp, type HttpInterface, interfacesOf } from '../../src/server/build-http-app.ts'
import { businessWith, service } from '../support/definitions.ts'
import { testServer } from '../support/server.ts'

const server = await testServer(businessWith([service('svc_a')], { registry: { enabled: true } }))
const interfaces = interfacesOf(server.runtime)
const apps: FastifyInstance[] = []
afterAll(() => Promise.all(apps.map((app) => app.close())))

/** With the routes that each door has. */
async function open(chosen: [string, HttpInterface][]) {
  const routes = new Map<string, { method: string; url: string }[]>()
  const noting = chosen.map(([name, httpInterface]): [string, HttpInterface] => [
    name,
    (scope) => {
      const known: { method: string; url: string }[] = []
      routes.set(name, known)
      scope.addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) known.push({ method: one, url })
      })
      return httpInterface(scope)
    },
  ])
  const app = await buildApp({ ...server.runtime, metrics: makeMetrics() }, Object.fromEntries(noting))
  apps.push(app)
  await app.ready()
  return { app, routes }
}

const answerOf = async (app: FastifyInstance, { method, url }: { method: string; url: string }) => {
  const payload = method === 'GET' || method === 'HEAD' ? {} : { payload: '{}' }
  const answer = await app.inject({
    method: method as 'GET',
    url: url.replace(/[:*][\w]*/g, 'any'),
    ...payload,
    headers: payload.payload ? { 'content-type': 'application/json' } : {},
  })
  const { statusCode, headers } = answer
  return { method, url, statusCode, type: headers['content-type'], names: Object.keys(headers).toSorted() }
}

const all = Object.entries(interfaces)
const { app: usual, routes } = await open(all)
const { app: reversed } = await open(all.toReversed())

test.each(all)(
  '[doors stand alone] %s answers alike with all others, after all others, and by itself',
  async (...httpInterface) => {
    const { app: alone } = await open([httpInterface])
    const known = routes.get(httpInterface[0]) ?? []
    expect(known.length).toBeGreaterThan(0)
    for (const route of known) {
      const wanted = await answerOf(usual, route)
      expect(await answerOf(reversed, route)).toEqual(wanted)
      expect(await answerOf(alone, route)).toEqual(wanted)
    }
  },
)
