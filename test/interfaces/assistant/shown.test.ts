import { readdirSync, readFileSync } from 'node:fs'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { getToolUiResourceUri, RESOURCE_MIME_TYPE } from '@modelcontextprotocol/ext-apps/app-bridge'
import { afterAll, expect, test } from 'vitest'
import { languages } from '../../../src/infra/i18n/languages.ts'
import { salon } from '../../booking-flow/visitor.ts'
import { serverWithAllInterfaces } from '../../support/server.ts'
import { assistant } from './talk.ts'

const shop = await serverWithAllInterfaces(salon({ website: { accent: '#0b6e4f' } }))
const helper = assistant(shop)
const client = new Client({ name: 'test', version: '1' })
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', await shop.app.listen({ host: '127.0.0.1', port: 0 }))),
)
afterAll(() => client.close())

const NEWEST = '2026-07-28'
const MOST_BYTES = 60_000
const read = async (uri: string) => {
  const [first] = (await client.readResource({ uri })).contents
  if (!first || !('text' in first)) throw new Error('It is no text')
  return first
}

test('[a view] is named by the tools that it shows, and read like any resource', async () => {
  const { tools } = await client.listTools()
  const shown = tools.filter((tool) => getToolUiResourceUri(tool) !== undefined)
  expect(shown.map(({ name }) => name)).toEqual([
    ...['find_services', 'find_times', 'book', 'booking_status', 'my_bookings', 'move_booking', 'cancel_booking'],
  ])
  const uris = new Set(shown.map((tool) => getToolUiResourceUri(tool)))
  const { resources } = await client.listResources()
  expect(resources.filter(({ mimeType }) => mimeType === RESOURCE_MIME_TYPE).map(({ uri }) => uri)).toEqual([...uris])
  expect(client.getServerCapabilities()).toMatchObject({ extensions: { 'io.modelcontextprotocol/ui': {} } })
})

test('[a view] is one page that names no other origin, in the colour of the business, and small', async () => {
  const { text, mimeType, _meta } = await read('ui://booking/view')
  expect(mimeType).toBe(RESOURCE_MIME_TYPE)
  expect(_meta).toEqual({ ui: { csp: {}, prefersBorder: true } })
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MOST_BYTES)
  expect(text).not.toMatch(/https?:|\bsrc=|@import|url\(|innerHTML|\bimport\b/)
  expect(text).toContain('--accent:light-dark(#0b6e4f,')
})

test('[a view] has every text that its scripts say, in every language', async () => {
  const { text } = await read('ui://booking/view')
  const [, json = ''] = /id="texts">(.*?)<\/script>/.exec(text) ?? []
  const texts = JSON.parse(json)
  expect(Object.keys(texts)).toEqual(Object.keys(languages))
  const folder = new URL('../../../src/interfaces/assistant/browser/', import.meta.url)
  const scripts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'))
  const said = [...scripts.join('').matchAll(/'((?:book|booking|my|view|setup|desk|canceling)\.[a-z_.]+)'/g)].map(
    ([, one]) => one,
  )
  const states = Object.keys(texts.en).filter((message) => /^my\.state\.|^booking\.to_do\./.test(message))
  for (const language of Object.keys(languages))
    expect(Object.keys(texts[language]).toSorted(), language).toEqual([...new Set([...said, ...states])].toSorted())
})

test('[what a view shows] has its sentences in every language, beside what a model reads', async () => {
  const { _meta, structuredContent: data } = await client.callTool({
    name: 'find_services',
    arguments: { query: 'haircut', limit: 1 },
  })
  expect(data).toMatchObject({ services: [{ price: '$75.00 plus tax' }] })
  expect(_meta).toMatchObject({
    'usp/words': { de: { '1 hr': '1 Std.' }, ar: { '1 hr': expect.stringContaining('س') } },
  })
})

test('[what a view shows] has no sentence that is empty, or the same in English', async () => {
  const { _meta } = await client.callTool({ name: 'find_services', arguments: {} })
  const words: Record<string, Record<string, string>> = Object(_meta)['usp/words']
  expect(Object.keys(words)).toEqual(Object.keys(languages).filter((language) => language !== 'en'))
  for (const [language, sentences] of Object.entries(words)) {
    expect(Object.keys(sentences).length, language).toBeGreaterThan(0)
    for (const [english, own] of Object.entries(sentences)) expect([language, own]).not.toEqual([language, english])
    expect(Object.keys(sentences), language).not.toContain('')
  }
})

test.each([
  ['in an older revision, where nobody knows', undefined, true],
  ['of a client that shows views', { extensions: { 'io.modelcontextprotocol/ui': {} } }, true],
  ['of a client that shows none', { extensions: {} }, false],
])('[what a view shows] has its sentences beside the answer to a call %s', async (_, capabilities, isTold) => {
  const _meta = capabilities && {
    'io.modelcontextprotocol/protocolVersion': NEWEST,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const said = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call', 'mcp-name': 'find_services' }
  const asking = assistant(shop, { headers: capabilities ? said : {} })
  const { body } = await asking.send('tools/call', { name: 'find_services', arguments: {}, ...(_meta && { _meta }) })
  expect(body.result.structuredContent.services.length).toBeGreaterThan(0)
  expect('usp/words' in (body.result._meta ?? {})).toBe(isTold)
})

test('what people read of the business is there without a tool', async () => {
  expect((await read('business://services')).text).toContain('svc_haircut “Women’s Haircut & Style”: $75.00 plus tax')
  expect((await read('business://policies')).text).toMatch(
    /svc_haircut .*Canceling is free until 1 day before the start/,
  )
  expect((await read('business://opening-hours')).text).toContain('thursday: 09:00–20:00')
  const data = { code: 'invalid_request', uri: 'business://none' }
  await expect(client.readResource({ uri: data.uri })).rejects.toMatchObject({ code: -32602, data })
})

test('[prompts] say what a person wants, in words of theirs that are cut short', async () => {
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['book', 'move'])
  const { messages } = await client.getPrompt({ name: 'book', arguments: { what: 'a haircut', when: 'x'.repeat(300) } })
  expect(messages).toMatchObject([
    { role: 'user', content: { text: expect.stringMatching(/^Please book a haircut for me, x{199}…\./) } },
  ])
  await expect(client.getPrompt({ name: 'none' })).rejects.toMatchObject({ code: -32602 })
})

test.each([
  ['book', {}, 'Please book something for me. '],
  ['book', { what: 'a haircut' }, 'Please book a haircut for me. '],
  ['book', { when: 'tomorrow' }, 'Please book something for me, tomorrow. '],
  ['move', {}, 'Please move a booking of mine. '],
  ['move', { when: 'tomorrow' }, 'Please move a booking of mine to tomorrow. '],
])('[prompts] are whole sentences without some of the arguments: %s %j', async (name, args, sentence) => {
  const { messages } = await client.getPrompt({ name, arguments: { ...args } })
  expect(messages).toMatchObject([{ content: { text: expect.stringMatching(new RegExp(`^${sentence}`)) } }])
})

test.each([
  ['resources/read', {}],
  ['resources/read', { uri: 7 }],
  ['prompts/get', { name: 'book', arguments: { what: {} } }],
])('what is malformed in %s is the caller’s fault: %j', async (method, params) => {
  expect((await helper.send(method, params)).body.error).toMatchObject({ code: -32602 })
})
