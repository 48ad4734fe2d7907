import { describe, expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { changed, type Outgoing, published, reading, type Signing, send, signed, subscribing } from '../support/sign.ts'

const definition = businessWith([service('svc_a')])
const local = await testServer(definition)
const proxied = await testServer(definition, {
  env: { BASE_URL: 'https://Usp.Example.COM:443', TRUST_PROXY: '127.0.0.1' },
})
const onPort = await testServer(definition, { env: { BASE_URL: 'https://usp.example.com:8443' } })
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const sign = (outgoing: Outgoing, more: Partial<Signing> = {}) =>
  signed(outgoing, { key: key.private, parameters: ';keyid="k1"', ...more })
const authority = (value: string) => sign(subscribing(platform), { values: { '@authority': value } })

describe('@authority is the public host, whatever the Host header says', () => {
  test.each([
    ['the host of BASE_URL, lower-cased, without its default port', proxied, 'usp.example.com', {}],
    ['that host under a Host header of somebody else', proxied, 'usp.example.com', { host: 'evil.example' }],
    ['that host under the address of the machine', proxied, 'usp.example.com', { host: '10.0.0.7:8080' }],
    ['that host under a forwarded one', proxied, 'usp.example.com', { 'x-forwarded-host': 'evil.example' }],
    ['a port that is not the default one', onPort, 'usp.example.com:8443', {}],
    ['loopback in development', local, '127.0.0.1:8080', {}],
    ['localhost in development', local, 'localhost:8080', { host: 'localhost:8080' }],
    ['loopback under a Host header of somebody else', local, '127.0.0.1:8080', { host: 'evil.example' }],
  ])('[SIG-041] %s is accepted', async (_, server, host, headers) => {
    expect((await send(server, changed(authority(host), headers))).status).toBe(201)
  })

  test.each([
    ['another case', proxied, 'Usp.Example.COM', {}],
    ['the default port', proxied, 'usp.example.com:443', {}],
    ['a host that agrees with the Host header', proxied, 'evil.example', { host: 'evil.example' }],
    ['a host that agrees with X-Forwarded-Host', local, 'evil.example', { 'x-forwarded-host': 'evil.example' }],
    ['a host that agrees with Forwarded', proxied, 'evil.example', { forwarded: 'host=evil.example' }],
    ['localhost in front of a public server', proxied, 'localhost:8080', { host: 'localhost:8080' }],
    ['localhost on the port of a public server', onPort, 'localhost:8443', { host: 'localhost:8443' }],
    ['localhost on another port', local, 'localhost:9999', { host: 'localhost:9999' }],
    ['the port left out', onPort, 'usp.example.com', {}],
    ['a trailing dot', proxied, 'usp.example.com.', { host: 'usp.example.com.' }],
  ])('[SIG-041] %s is refused', async (_, server, host, headers) => {
    const { status, body } = await send(server, changed(authority(host), headers))
    expect([status, body.code]).toEqual([401, 'signature_invalid'])
  })

  test('[SIG-041] @target-uri and @scheme are those of the public address too', async () => {
    const components = [
      '@method',
      '@authority',
      '@path',
      'usp-agent',
      'content-digest',
      'content-type',
      '@target-uri',
      '@scheme',
    ]
    const outgoing = sign(subscribing(platform), { components, origin: 'https://usp.example.com' })
    expect((await send(proxied, outgoing)).status).toBe(201)
    expect((await send(onPort, outgoing)).body.code).toBe('signature_invalid')
  })
})

describe('@path and @query are the text that was sent', async () => {
  const { body: made } = await send(local, sign(subscribing(platform)))
  const plain = reading(platform, made.subscription.id)
  const escaped = plain.target.replace('/sub_', '/%73ub_')

  test('[SIG-042] a path with needless escapes is verified with them', async () => {
    expect((await send(local, sign({ ...plain, target: escaped }))).body.subscription).toEqual(made.subscription)
    const lower = plain.target.replace('/sub_', '/sub%5f')
    expect((await send(local, sign({ ...plain, target: lower }))).body.subscription).toEqual(made.subscription)
  })

  test('[SIG-042] a path that means the same but is written otherwise is another one', async () => {
    const variants = [
      [escaped, plain.target],
      [plain.target, escaped],
      [plain.target.replace('/sub_', '/sub%5F'), plain.target.replace('/sub_', '/sub%5f')],
    ]
    for (const [sent = '', path = ''] of variants) {
      const { body } = await send(local, sign({ ...plain, target: sent }, { values: { '@path': path } }))
      expect([sent, body.code]).toEqual([sent, 'signature_invalid'])
    }
  })

  test.each(['a=1&b=2', 'b=2&a=1', 'a=%31', 'a=+', 'a=%20', 'a', 'a=&a=', '%E2%9C%93=1', 'a=b?c=d', '??', 'a=/../b'])(
    '[SIG-042] [SIG-007] the query ?%s is verified as it is written',
    async (query) => {
      const target = `${plain.target}?${query}`
      const outgoing = sign({ ...plain, target })
      const { status, body } = await local.raw({ method: 'GET', url: target, headers: outgoing.headers })
      expect([status, body.code]).toEqual([200, undefined])
      const other = { ...outgoing, target: `${target}&x` }
      expect((await local.raw({ method: 'GET', url: other.target, headers: other.headers })).body.code).toBe(
        'signature_invalid',
      )
    },
  )
})
