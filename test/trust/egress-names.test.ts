import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { loopbackCertificate } from '../../src/trust/development/loopback.ts'
import { callOutside, checkedTarget } from '../../src/trust/egress.ts'

const resolver = vi.hoisted(() => ({
  asked: [] as string[],
  answers: [] as string[][],
  hangs: false,
}))

vi.mock('node:dns/promises', async (original) => ({
  ...(await original<typeof import('node:dns/promises')>()),
  lookup: async (host: string) => {
    resolver.asked.push(host)
    if (resolver.hangs) return new Promise(() => {})
    const addresses = resolver.answers.shift()
    if (!addresses) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  },
}))
afterEach(() => void Object.assign(resolver, { asked: [], answers: [], hangs: false }))

const development = readConfig({})
const production = readConfig({
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

test.each(both)('[PRO-049] in %s a public name of a special-use address is refused', async (_, config) => {
  for (const address of ['10.0.0.1', '169.254.169.254', '0.0.0.0', '::ffff:192.168.0.1', 'fd00::1', '64:ff9b::a00:1']) {
    resolver.answers = [[address]]
    await expect(checkedTarget('https://agent.example/p', config), address).rejects.toEqual(reason('forbidden'))
    resolver.answers = [[address]]
    await expect(callOutside('https://agent.example/p', request, config), address).rejects.toEqual(reason('forbidden'))
  }
})

test.each(both)('[PRO-050] in %s one special-use address among several spoils the name', async (_, config) => {
  for (const addresses of [
    ['8.8.8.8', '10.0.0.1'],
    ['10.0.0.1', '8.8.8.8'],
    ['2606:4700::1111', '8.8.8.8', '::ffff:a00:1'],
  ]) {
    resolver.answers = [addresses]
    await expect(checkedTarget('https://agent.example/', config)).rejects.toEqual(reason('forbidden'))
  }
})

test.each(both)('[PRO-049] in %s a name with public addresses alone is resolved once', async (_, config) => {
  resolver.answers = [['2606:4700::1111', '8.8.8.8']]
  const { target, url } = await checkedTarget('https://agent.example:8443/p', config)
  expect(['2606:4700::1111', '8.8.8.8']).toContain(target)
  expect(url.href).toBe('https://agent.example:8443/p')
  expect(resolver.asked).toEqual(['agent.example'])
})

test.each(['localhost', 'localhost.', 'agent.localhost', 'LOCALHOST', 'localhost.localdomain', 'agent.example'])(
  '[PRO-052] %s is no way around: what it resolves to decides',
  async (name) => {
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
      resolver.answers = [[address], [address], [address]]
      const url = `https://${name}/profile.json`
      await expect(checkedTarget(url, production)).rejects.toEqual(reason('forbidden'))
      await expect(checkedTarget(url, readConfig({ HOST: '0.0.0.0' }))).rejects.toEqual(reason('forbidden'))
      expect((await checkedTarget(url, development)).target).toBe(address)
    }
  },
)

test('[PRO-050] the connection goes to the address that was checked, although the name leads elsewhere by then', async () => {
  const server = createServer(loopbackCertificate(), (_, response) => response.end('checked')).listen(0, '127.0.0.2')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  resolver.answers = [['127.0.0.2'], ['10.0.0.1']]
  const { body } = await callOutside(`https://localhost:${port}/`, request, development)
  expect(body.toString()).toBe('checked')
  expect(resolver.asked).toEqual(['localhost'])
  server.close()
})

test('[PRO-050] an address given as such is not looked up', async () => {
  expect((await checkedTarget('https://8.8.8.8/', production)).target).toBe('8.8.8.8')
  expect((await checkedTarget('https://[2606:4700::1111]/', production)).target).toBe('2606:4700::1111')
  expect(resolver.asked).toEqual([])
})

test('[PRO-054] a name that nobody knows is unreachable', async () => {
  await expect(callOutside('https://nobody.example/', request, production)).rejects.toEqual(reason('unreachable'))
  resolver.answers = [[]]
  await expect(callOutside('https://nothing.example/', request, production)).rejects.toEqual(reason('unreachable'))
})

test('[PRO-056] a resolver that does not answer is given up in time as well', { timeout: 3_000 }, async () => {
  resolver.hangs = true
  const call = callOutside('https://slow.example/', { ...request, timeout: 100 }, production)
  await expect(call).rejects.toEqual(reason('unreachable'))
})
