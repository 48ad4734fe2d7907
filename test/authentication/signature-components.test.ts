import { expect, test } from 'vitest'
import { businessWith, service } from '../support/definitions.ts'
import { testKey, testPlatform } from '../support/platform.ts'
import { testServer } from '../support/server.ts'
import { changed, neededComponents, published, send, signed, stored, subscribing } from '../support/sign.ts'

/** Components that a signer lists beside the required ones, each signed with the value that its name promises. */
const server = await testServer(businessWith([service('svc_a')]))
const key = testKey('ES256')
const platform = await testPlatform({ keys: [published('k1', key)] })
const bare = changed(subscribing(platform), {
  'x-list': 'a,  b',
  'x-long': 'a'.repeat(4097),
  date: 'Fri, 20 Nov 2026 12:00:00 GMT',
})
const plain = { ...bare, target: `${bare.target}?trace=1&empty=&twice=1&twice=1` }
const agent = String(plain.headers['usp-agent'])
const digest = String(plain.headers['content-digest'])

const told = async (component: string, value?: string) => {
  const components = [...neededComponents(plain), component]
  const values = value === undefined ? {} : { [component]: value }
  const before = await stored(server)
  const { status, body } = await send(
    server,
    signed(plain, { key: key.private, parameters: ';keyid="k1"', components, values }),
  )
  if (status !== 201) expect(await stored(server)).toEqual(before)
  return status === 201 ? 'accepted' : `${status} ${body.code}`
}

test.each([
  ['date', undefined],
  ['x-list', 'a,  b'],
  ['@scheme', 'http'],
  ['"usp-agent";sf', agent],
  ['"usp-agent";key="profile"', `"${platform.url}"`],
  ['"content-digest";key="sha-256"', digest.slice('sha-256='.length)],
  ['"usp-agent";bs', `:${Buffer.from(agent).toString('base64')}:`],
  ['"@query-param";name="trace"', '1'],
  ['"@query-param";name="empty"', ''],
])('[SIG-006] %s beside the required components is accepted', async (component, value) => {
  expect(await told(component, value)).toBe('accepted')
})

test.each([
  ['a header that did not come', 'x-absent', ''],
  ['a header named like what every object has', 'constructor', ''],
  ['a header named like the prototype', '__proto__', '[object Object]'],
  ['an unnamed component', '""', ''],
  ['the status of an answer', '@status', '200'],
  ['an unknown derived component', '@body', plain.body],
  ['the parameters themselves', '@signature-params', ''],
  ['the method, in capitals', '@METHOD', 'POST'],
  ['a header, in capitals', '"Date"', String(plain.headers.date)],
  ['a token', 'date;x', String(plain.headers.date)],
  ['a number', '1', ''],
  ['a byte sequence', ':ZGF0ZQ==:', ''],
  ['something of the request that was answered', '"date";req', String(plain.headers.date)],
  ['the method of the request that was answered', '"@method";req', 'POST'],
  ['a header of the trailers', '"date";tr', String(plain.headers.date)],
  ['a parameter that nobody knows', '"date";x-unknown', String(plain.headers.date)],
  ['two parameters that contradict each other', '"usp-agent";bs;sf', agent],
  ['a member that the header lacks', '"usp-agent";key="other"', ''],
  ['a member of what is no dictionary', '"date";key="a"', ''],
  ['a query parameter without its name', '@query-param', 'trace=1'],
  ['a query parameter that did not come', '"@query-param";name="other"', ''],
  ['a query parameter that cannot be decoded', '"@query-param";name="%"', ''],
  ['a query parameter that comes twice', '"@query-param";name="twice"', '1'],
  ['a part of what is very long', '"x-long";sf', 'a'.repeat(4097)],
  ['a query parameter with another value', '"@query-param";name="trace"', '2'],
  ['another target', '@target-uri', 'http://127.0.0.1:8080/usp/v1/elsewhere'],
  ['the https form of the target', '@target-uri', `https://127.0.0.1:8080${plain.target}`],
  ['the signature itself', 'signature', ''],
])('[SIG-018] %s as a component makes the signature invalid', async (_, component, value) => {
  expect(await told(component, value)).toBe('401 signature_invalid')
})

test.each([
  ['@method', 'post'],
  ['@authority', '127.0.0.1:8080/'],
  ['@authority', '127.0.0.1'],
  ['@path', '/usp/v1/services/feed/subscriptions/'],
  ['@path', '/usp/v1/services/feed/%73ubscriptions'],
  ['@path', '/usp/v1/services/feed/subscriptions?trace=1&empty='],
  ['@query', 'trace=1&empty='],
  ['@query', '?'],
  ['@query', '?trace=1&empty'],
  ['@query', '?empty=&trace=1'],
  ['@query', '?trace=%31&empty='],
  ['usp-agent', `${agent} `],
  ['content-type', 'application/JSON'],
])('[SIG-018] %s signed as %s is another request', async (component, value) => {
  const { status, body } = await send(
    server,
    signed(plain, { key: key.private, parameters: ';keyid="k1"', values: { [component]: value } }),
  )
  expect(`${status} ${body.code}`).toBe('401 signature_invalid')
})

test.each([
  [50, 201],
  [51, 401],
])('[SIG-037] a signature over %i components is answered with %i', async (count, expected) => {
  const usual = neededComponents(plain)
  const names = Array.from({ length: count - usual.length }, (_, index) => `x-${index}`)
  const sent = changed(plain, Object.fromEntries(names.map((name) => [name, 'x'])))
  const outgoing = signed(sent, {
    key: key.private,
    parameters: ';keyid="k1"',
    components: [...neededComponents(sent), ...names],
  })
  expect((await send(server, outgoing)).status).toBe(expected)
})

test('[SIG-037] hundreds of components, each once, cost no more than a refusal', async () => {
  const components = [...neededComponents(plain), ...Array.from({ length: 5000 }, (_, index) => `x-${index}`)]
  const outgoing = signed(plain, { key: key.private, parameters: ';keyid="k1"', components })
  const { status, body } = await send(server, outgoing)
  expect(`${status} ${body.code}`).toBe('401 signature_invalid')
})
