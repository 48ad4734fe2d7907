import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const server = await serverWithAllInterfaces(businessWith([service('svc_one')]))
await server.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.app.server.address() as AddressInfo

/** The very bytes of the path, which no client tidies up here. */
const statusOf = (path: string, method = 'GET') =>
  new Promise<number | undefined>((resolve, reject) =>
    request({ host: '127.0.0.1', port, path, method, agent: false }, (response) =>
      resolve(response.resume().statusCode),
    )
      .on('error', reject)
      .end(),
  )

test.each([
  '/%6detrics',
  '/metric%73',
  '/%6d%65%74%72%69%63%73',
  '/%68ealthz',
  '/%72eadyz',
  '/%2e/metrics',
  '/%2fmetrics',
  '/%6detrics?x',
  'http://127.0.0.1/%6detrics',
  'http://127.0.0.1/metrics%23',
  '/usp/v1/%73ervices/svc_one',
  '/u%73p/v1/services/svc_one',
  '/usp/v1/services/feed/%73ubscriptions/sub_x',
  '/%64ocs/',
  '/docs%2f',
  '/%6fauth/jwks',
  '/.well-known%2Fusp',
])('[a path of ours comes unescaped] %s is not there', async (path) => {
  for (const method of ['GET', 'HEAD', 'POST', 'DELETE'])
    expect([method, await statusOf(path, method)]).toEqual([method, 404])
})

test.each([
  [200, '/metrics'],
  [200, '/metrics?name[]=a%20b'],
  [200, 'http://127.0.0.1/metrics'],
  [200, '/usp/v1/services/svc_one'],
  [200, '/usp/v1/services/%73vc%5Fone'],
  [200, 'http://127.0.0.1/usp/v1/services/svc%5fone'],
  [404, '/usp/v1/services/svc%2Fone'],
  [200, '/docs/api/static/swagger-ui.css'],
  [200, '/docs/api/static/swagger-ui%2ecss'],
])('[a path of ours comes unescaped] what callers name in it may be escaped: %i for %s', async (status, path) => {
  expect(await statusOf(path)).toBe(status)
})
