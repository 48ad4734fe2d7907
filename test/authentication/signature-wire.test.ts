import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { serverWithAllInterfaces } from '../support/server.ts'
import {
  changed,
  digestOf,
  neededComponents,
  type Outgoing,
  published,
  SUBSCRIPTIONS,
  signed,
  stored,
  subscribing,
} from '../support/sign.ts'

/** What only the bytes of a connection can say: where lines are split, folded and padded, and how addresses are spelled. */
const server = await serverWithAllInterfaces(businessWith([service('svc_a')]))
await server.app.listen({ host: '127.0.0.1', port: 0 })
const { port } = server.app.server.address() as AddressInfo
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const sign = (outgoing: Outgoing, components = neededComponents(outgoing), values: Record<string, string> = {}) =>
  signed(outgoing, { key: key.private, parameters: ';keyid="k1"', components, values })
const plain = subscribing(platform)

/** Writes the lines as they are and answers with the status and the code. */
async function wire(
  { method, target, headers, body }: Omit<Outgoing, 'method'> & { method: string },
  change: (lines: string[]) => string[] = (all) => all,
) {
  const lines = Object.entries({ host: '127.0.0.1:8080', ...headers }).map(([name, value]) => `${name}: ${value}`)
  const length = `content-length: ${Buffer.byteLength(body)}`
  const head = [`${method} ${target} HTTP/1.1`, 'connection: close', ...change([...lines, length])].join('\r\n')
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(Buffer.from(`${head}\r\n\r\n${body}`, 'latin1'))
  const answer = await text(socket)
  const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? []
  const [, code] = /"code":"(\w+)"/.exec(answer) ?? []
  return code ? `${status} ${code}` : status
}
const refused = async (...call: Parameters<typeof wire>) => {
  const before = await stored(server)
  const answer = await wire(...call)
  expect(await stored(server)).toEqual(before)
  return answer
}
const named = (name: string, change: (value: string) => string[]) => (lines: string[]) =>
  lines.flatMap((line) => (line.startsWith(`${name}: `) ? change(line.slice(name.length + 2)) : [line]))
const invalid = '401 signature_invalid'

test('[SIG-001] what is sent over a connection is verified as it is through the app', async () => {
  expect(await wire(sign(plain))).toBe('201')
})

test('[SIG-007] a lone question mark is a query, signed as ?', async () => {
  const lone = { ...plain, target: `${SUBSCRIPTIONS}?` }
  expect(await wire(sign(lone))).toBe('201')
  expect(await refused(sign(lone, neededComponents(plain)))).toBe('401 signature_missing')
  expect(await refused({ ...sign(plain), target: lone.target })).toBe('401 signature_missing')
  // Without any query the value is ? as well (RFC 9421, 2.2.7), and the request is the same one.
  expect(await wire({ ...sign(lone), target: plain.target })).toBe('201')
})

test('[SIG-018] a query that was taken away, or a question mark, changes what was signed', async () => {
  const components = [...neededComponents(plain), '@query']
  expect(await wire(sign(plain, components, { '@query': '?' }))).toBe('201')
  expect(await refused(sign(plain, components, { '@query': '' }))).toBe(invalid)
  expect(await refused({ ...sign({ ...plain, target: `${SUBSCRIPTIONS}?a=1` }), target: SUBSCRIPTIONS })).toBe(invalid)
})

test('[SIG-042] the path on the wire is the one that is signed', async () => {
  const [written, escaped] = [`${SUBSCRIPTIONS}/sub_x`, `${SUBSCRIPTIONS}/%73ub_x`]
  const read = (target: string) => {
    const bodiless = { ...plain, method: 'GET' as const, target, body: '' }
    return sign(changed(bodiless, { 'content-digest': undefined, 'content-type': undefined }))
  }
  for (const target of [written, escaped]) expect(await wire(read(target))).toBe('404 subscription_not_found')
  expect(await refused({ ...read(written), target: escaped })).toBe(invalid)
  expect(await refused({ ...read(escaped), target: written })).toBe(invalid)
})

test('[SIG-018] a GET that is sent as a HEAD is another request', async () => {
  const read = { ...plain, method: 'GET' as const, target: `${SUBSCRIPTIONS}/sub_x`, body: '' }
  const outgoing = sign(changed(read, { 'content-digest': undefined, 'content-type': undefined }))
  expect(await wire(outgoing)).toBe('404 subscription_not_found')
  expect(await wire({ ...outgoing, method: 'HEAD' })).toBe('401')
})

test('[SIG-012] padding around a value is none of it, what is inside is', async () => {
  expect(
    await wire(
      sign(plain),
      named('usp-agent', (value) => [`usp-agent:\t ${value} \t`]),
    ),
  ).toBe('201')
  expect(
    await wire(
      sign(plain),
      named('content-type', (value) => [`Content-Type:${value}`]),
    ),
  ).toBe('201')
  expect(
    await refused(
      sign(plain),
      named('usp-agent', (value) => [`usp-agent: ${value}; v=1`]),
    ),
  ).toBe(invalid)
})

test('[SIG-016] a folded line is not read at all', async () => {
  for (const name of ['usp-agent', 'signature-input', 'signature'])
    expect(
      await refused(
        sign(plain),
        named(name, (value) => [`${name}: ${value.slice(0, 9)}`, ` ${value.slice(9)}`]),
      ),
    ).toMatch(/^40[01] /)
})

test('[SIG-038] Signature and Signature-Input may come in several lines', async () => {
  const two = signed(sign(plain, ['@method']), { key: key.private, parameters: ';keyid="k1"', label: 'two' })
  const split = (name: string) => named(name, (value) => value.split(', ').map((member) => `${name}: ${member}`))
  expect(await wire(two, (lines) => split('signature')(split('signature-input')(lines)))).toBe('201')
})

test('[SIG-018] lines of one name are signed as one value, in their order', async () => {
  const joined = changed(plain, { 'content-digest': `${digestOf(plain.body)}, md5=:AAAA:` })
  const split = named('content-digest', (value) => value.split(', ').map((member) => `content-digest: ${member}`))
  expect(await wire(sign(joined), split)).toBe('201')
  const reversed = (lines: string[]) => split(lines).reverse()
  expect(await refused(sign(joined), reversed)).toBe(invalid)
})

test('[SIG-018] a line that is added to a covered header changes it', async () => {
  for (const [name, more] of [
    ['usp-agent', `profile="${platform.url}"`],
    ['content-digest', digestOf(plain.body)],
    ['idempotency-key', 'another'],
  ] as const) {
    const outgoing = sign(changed(plain, { 'idempotency-key': 'first' }))
    expect([
      name,
      await refused(
        outgoing,
        named(name, (value) => [`${name}: ${value}`, `${name}: ${more}`]),
      ),
    ]).toEqual([name, invalid])
  }
})

test('[SIG-016] headers beyond what a server reads are refused before anything is verified', async () => {
  const huge = named('signature-input', (value) => [`signature-input: ${value}, ${'x=(), '.repeat(20_000)}y=()`])
  expect(await refused(sign(plain), huge)).toMatch(/^431/)
})

test('[SIG-016] bytes that are not ASCII in the signature headers are no structured field', async () => {
  for (const name of ['signature', 'signature-input'])
    expect(
      await refused(
        sign(plain),
        named(name, (value) => [`${name}: ${value};x="é"`]),
      ),
    ).toBe(invalid)
})

test('[SIG-042] the absolute form of the target, as a proxy is sent it, does not pass for another host', async () => {
  const read = { ...plain, method: 'GET' as const, target: `${SUBSCRIPTIONS}/sub_x`, body: '' }
  const outgoing = sign(changed(read, { 'content-digest': undefined, 'content-type': undefined }))
  for (const origin of ['http://evil.example', 'http://127.0.0.1:8080'])
    expect(await refused({ ...outgoing, target: `${origin}${outgoing.target}` })).toMatch(/^40[014] /)
})

test('[SIG-022] a body that comes in chunks is digested as the bytes that it makes', async () => {
  const outgoing = sign(plain)
  const chunk = (part: string) => `${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`
  const chunked = (body: string) => `${chunk(body.slice(0, 5))}${chunk(body.slice(5))}0\r\n\r\n`
  const asChunks = named('content-length', () => ['transfer-encoding: chunked'])
  expect(await wire({ ...outgoing, body: chunked(plain.body) }, asChunks)).toBe('201')
  expect(await refused({ ...outgoing, body: chunked(`${plain.body} `) }, asChunks)).toBe('400 digest_mismatch')
})
