import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { callOutside, checkedTarget, checkedUrl } from '../../src/core/egress/call-external-url.ts'
import { loopbackCertificate } from '../../src/core/egress/development/loopback-certificate.ts'
import { readConfig } from '../../src/infra/config/read-config.ts'
import { testNameserver } from '../support/nameserver.ts'

const nameserver = await testNameserver()
const { names, asked } = nameserver
afterEach(() => {
  names.clear()
  asked.length = 0
})

const env = { USP_NAMESERVERS: nameserver.address }
const development = readConfig(env)
const production = readConfig({
  ...env,
  USP_MODE: 'production',
  DATABASE_URL: 'postgres://db.example/usp',
  BASE_URL: 'https://book.example',
  USP_SECRET_KEY: 'k'.repeat(32),
})
const both = [
  ['development', development],
  ['production', production],
] as const
const request = { timeout: 1_000, mostBytes: 1_024 }
const reason = (reason: string) => expect.objectContaining({ reason })

test('[an address that somebody names] may have two thousand bytes and no more', () => {
  const address = (length: number) => `https://agent.example/${'x'.repeat(length - 'https://agent.example/'.length)}`
  expect(checkedUrl(address(2_000), development).href).toHaveLength(2_000)
  expect(() => checkedUrl(address(2_001), development)).toThrow(reason('forbidden'))
  // Each of these is one byte in the address as it is called, and three as it is written.
  expect(() => checkedUrl(`https://agent.example/${'ä'.repeat(500)}`, development)).toThrow(reason('forbidden'))
})

test.each(both)('[PRO-049] in %s a public name of a special-use address is refused', async (_, config) => {
  for (const address of [
    '10.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '0.0.0.0',
    '::ffff:192.168.0.1',
    'fd00::1',
    '64:ff9b::a00:1',
  ]) {
    names.set('agent.example', [address])
    await expect(checkedTarget('https://agent.example/p', config), address).rejects.toEqual(reason('forbidden'))
    await expect(callOutside('https://agent.example/p', request, config), address).rejects.toEqual(reason('forbidden'))
  }
})

test.each(both)('[PRO-050] in %s one special-use address among several spoils the name', async (_, config) => {
  for (const addresses of [
    ['8.8.8.8', '10.0.0.1'],
    ['10.0.0.1', '8.8.8.8'],
    ['2606:4700::1111', '8.8.8.8', '::ffff:a00:1'],
  ]) {
    names.set('agent.example', addresses)
    await expect(checkedTarget('https://agent.example/', config)).rejects.toEqual(reason('forbidden'))
  }
})

test.each(both)(
  '[PRO-049] in %s a name with public addresses alone is resolved once, for both families',
  async (_, config) => {
    names.set('agent.example', ['2606:4700::1111', '8.8.8.8', '8.8.4.4'])
    const { addresses, url } = await checkedTarget('https://agent.example:8443/p', config)
    expect(addresses).toEqual(['8.8.8.8', '2606:4700::1111'])
    expect(url.href).toBe('https://agent.example:8443/p')
    expect(asked).toEqual(['agent.example', 'agent.example'])
  },
)

test.each(['localhost', 'localhost.', 'agent.localhost', 'LOCALHOST', 'localhost.localdomain', 'agent.example'])(
  '[PRO-052] %s is no way around: what it resolves to decides',
  async (name) => {
    for (const address of ['127.0.0.1', '::1']) {
      for (const one of ['localhost.localdomain', 'agent.example']) names.set(one, [address])
      const url = `https://${name}/profile.json`
      await expect(checkedTarget(url, production)).rejects.toEqual(reason('forbidden'))
      await expect(checkedTarget(url, readConfig({ ...env, HOST: '0.0.0.0' }))).rejects.toEqual(reason('forbidden'))
      expect((await checkedTarget(url, development)).addresses).toContain(address)
    }
  },
)

test('[PRO-052] localhost is this machine, and no nameserver is asked for it', async () => {
  for (const name of ['localhost', 'localhost.', 'agent.localhost'])
    expect((await checkedTarget(`https://${name}/`, development)).addresses).toEqual(['127.0.0.1', '::1'])
  expect(asked).toEqual([])
})

test('[PRO-050] the connection goes to the address that was checked: a name is not looked up a second time', async () => {
  let connections = 0
  const server = createServer(loopbackCertificate()).on('connection', () => connections++)
  server.listen(0, '127.0.0.2')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  names.set('agent.example', ['127.0.0.2'])
  // The certificate is for another name, so that nothing is answered.
  const call = callOutside(`https://agent.example:${port}/`, request, development)
  await expect(call).rejects.toEqual(reason('unreachable'))
  expect([connections, asked]).toEqual([1, ['agent.example', 'agent.example']])
  server.close()
})

test('[PRO-050] an address given as such is not looked up', async () => {
  expect((await checkedTarget('https://8.8.8.8/', production)).addresses).toEqual(['8.8.8.8'])
  expect((await checkedTarget('https://[2606:4700::1111]/', production)).addresses).toEqual(['2606:4700::1111'])
  expect(asked).toEqual([])
})

test('[PRO-054] a name that nobody knows is unreachable', async () => {
  await expect(callOutside('https://nobody.example/', request, production)).rejects.toEqual(reason('unreachable'))
  names.set('nothing.example', [])
  for (const host of ['nothing.example', `${'a.'.repeat(200)}example`, `${'a'.repeat(70)}.example`, 'a..example'])
    await expect(callOutside(`https://${host}/`, request, production), host).rejects.toEqual(reason('unreachable'))
})

test('[PRO-056] a resolver that does not answer is given up in time as well', async () => {
  names.set('slow.example', 'silent')
  const begun = performance.now()
  const call = callOutside('https://slow.example/', { ...request, timeout: 100 }, production)
  await expect(call).rejects.toEqual(reason('unreachable'))
  expect(performance.now() - begun).toBeLessThan(1_000)
})

test('[PRO-056] a nameserver that keeps silent about one kind of address holds up nobody for long', async () => {
  names.set('half.example', ['8.8.8.8'])
  nameserver.withoutIPv6.add('half.example')
  const begun = performance.now()
  expect((await checkedTarget('https://half.example/', production)).addresses).toEqual(['8.8.8.8'])
  expect(performance.now() - begun).toBeLessThan(1_400)
})

test('[look-ups that are never answered keep no other waiting]', async () => {
  names.set('quick.example', ['8.8.8.8'])
  const silent = Array.from({ length: 30 }, (_, index) => `silent-${index}.example`)
  for (const name of silent) names.set(name, 'silent')
  const waiting = silent.map((name) => callOutside(`https://${name}/`, { ...request, timeout: 3_000 }, production))
  const ended = Promise.allSettled(waiting)
  const begun = performance.now()
  await checkedTarget('https://quick.example/', production)
  // What the system's own look-ups share is free: that is how the database is found.
  await lookup('localhost')
  expect(performance.now() - begun).toBeLessThan(1_000)
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
})

test('[a name that is never answered] is given up after five seconds, however many nameservers there are', async () => {
  const others = [await testNameserver(), await testNameserver()]
  const all = [nameserver, ...others]
  for (const one of all) one.names.set('silent.example', 'silent')
  const config = readConfig({ USP_NAMESERVERS: all.map(({ address }) => address).join(',') })
  const begun = performance.now()
  await expect(checkedTarget('https://silent.example/p', config)).rejects.toEqual(reason('unreachable'))
  const seconds = (performance.now() - begun) / 1000
  expect(seconds).toBeGreaterThan(4)
  expect(seconds).toBeLessThan(8)
})
