import { once } from 'node:events'
import { METHODS, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { serverWithAllInterfaces } from '../support/server.ts'

const { app } = await serverWithAllInterfaces(businessWith([service('svc_one')]))
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo

const RULE = '[whatever method a path lacks gets 405 and Allow]'
const usual = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'CONNECT']
const odd = METHODS.filter((method) => !usual.includes(method))

async function call(method: string, path: string, headers: Record<string, string> = {}, body = '') {
  const sending = request({ agent: false, port, host: '127.0.0.1', method, path, headers })
  sending.end(body)
  const [answer] = await once(sending, 'response')
  const text = Buffer.concat(await answer.toArray()).toString()
  return { status: answer.statusCode, allow: answer.headers.allow, text }
}

test.each([
  ['/usp/v1/services/list', 'POST'],
  ['/usp/v1/services/svc_one', 'GET, HEAD'],
  ['/usp/v1/bookings/bkg_one/calendar.ics', 'GET, HEAD'],
  ['/usp/mcp', 'POST'],
  ['/.well-known/usp', 'GET, HEAD'],
  ['/.well-known/usp-2025-01-01', 'GET, HEAD'],
  ['/services.jsonld', 'GET, HEAD'],
  ['/robots.txt', 'GET, HEAD'],
  ['/sitemap.xml', 'GET, HEAD'],
  ['/favicon.ico', 'GET, HEAD'],
  ['/schemas/services.json', 'GET, HEAD'],
  ['/healthz', 'GET, HEAD'],
  ['/readyz', 'GET, HEAD'],
  ['/metrics', 'GET, HEAD'],
])(`${RULE} %s, with every method that Node can read`, async (path, allow) => {
  expect(odd).toEqual(expect.arrayContaining(['TRACE', 'QUERY', 'PATCH', 'PROPFIND']))
  for (const method of odd) {
    const answer = await call(method, path)
    expect({ method, status: answer.status, allow: answer.allow }).toEqual({ method, status: 405, allow })
    expect(JSON.parse(answer.text).code).toBe('method_not_allowed')
  }
})

test(`${RULE} also with a body, of whatever kind`, async () => {
  for (const type of ['application/json', 'text/plain', 'application/sql']) {
    const answer = await call('QUERY', '/usp/v1/services/list', { 'content-type': type }, '{"broken')
    expect([answer.status, answer.allow]).toEqual([405, 'POST'])
  }
})

test(`${RULE} but a path that is nothing stays 404`, async () => {
  for (const method of odd) expect((await call(method, '/usp/v1/nothing')).status).toBe(404)
})

test(`${RULE} TRACE repeats nothing of what it was sent`, async () => {
  const { text } = await call('TRACE', '/usp/v1/services/list', { authorization: 'Bearer secret', cookie: 'a=b' })
  expect(text).not.toMatch(/secret|a=b/)
})

test(`${RULE} CONNECT leads nowhere, and is told so`, async () => {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.write('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n')
  const [answer] = await once(socket, 'data')
  expect(answer).toMatch(/^HTTP\/1.1 405 /)
  expect(answer).toContain('\r\nAllow: ')
  socket.destroy()
})
