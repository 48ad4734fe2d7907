import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, expect, test } from 'vitest'
import { daily } from '../../availability/week.ts'
import { ROSA, visitor } from '../../booking-flow/visitor.ts'
import { businessWith, service } from '../../support/definitions.ts'
import { testShop } from '../../support/desk.ts'
import { assistant, pathOf } from './talk.ts'

const shop = await testShop(businessWith([service('svc_cut')], { hours: daily('06:00', '22:00') }))
const url = new URL('/mcp', await (await shop.whole()).listen({ host: '127.0.0.1', port: 0 }))
const closing: Client[] = []
afterAll(() => Promise.all(closing.map((client) => client.close())))

type Opened = { message: string; url: string }

/** A client that opens links, and what the person does with one. */
async function clientOf(
  person: (link: string) => Promise<'accept' | 'decline' | 'cancel'>,
  capabilities = { elicitation: { url: {} } },
) {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  closing.push(client)
  const opened: Opened[] = []
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    if (params.mode !== 'url') throw new Error('It is no link')
    opened.push({ message: params.message, url: params.url })
    return { action: await person(params.url) }
  })
  await client.connect(new StreamableHTTPClientTransport(url))
  const book = async (slot_id: string) => {
    const {
      content,
      structuredContent,
      isError = false,
    } = await client.callTool({ name: 'book', arguments: { slot_id } })
    const [first] = content as { text: string }[]
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not
    return { text: first?.text ?? '', data: structuredContent as any, isError }
  }
  return { book, opened }
}

let used = 0
async function slot(): Promise<string> {
  const date = new Date(Date.UTC(2026, 10, 23 + used++)).toISOString().slice(0, 10)
  const { data } = await assistant(shop).call('find_times', { service_ids: ['svc_cut'], from: date, to: date })
  return data.times[0].slots[0].slot_id
}
const books = async (link: string) => {
  await visitor(shop).fill(pathOf(link), ROSA)
  return 'accept' as const
}

test('[a link in the client] is opened there, and the call that gave it says when the person has booked', async () => {
  const { book, opened } = await clientOf(books)
  const { text, data } = await book(await slot())
  expect(opened).toEqual([
    {
      message: expect.stringMatching(/^Check this and book it: “Service svc_cut” on /),
      url: expect.stringContaining('/book/svc_cut/details?'),
    },
  ])
  expect(text).toMatch(/^Booked: “Service svc_cut”.*It is confirmed\./)
  expect(data).toMatchObject({ state: 'booked', booking_status: 'confirmed' })
})

test('[a link in the client] is answered by what stands where the person takes longer', async () => {
  const { book } = await clientOf(async (link) => {
    await visitor(shop).open(pathOf(link))
    setTimeout(() => shop.minutesLater(1), 1_500)
    return 'accept'
  })
  const { text, data } = await book(await slot())
  expect(text).toContain('has opened the link but not booked yet')
  expect(text).toContain(`call booking_status with status_code="${data.status_code}"`)
  expect(data).toMatchObject({ state: 'opened', link: expect.stringContaining('/details?') })
})

test('[a link in the client] is answered as soon as it is booked while the call waits', async () => {
  const { book } = await clientOf(async (link) => {
    await visitor(shop).open(pathOf(link))
    setTimeout(() => void books(link), 1_500)
    return 'accept'
  })
  expect((await book(await slot())).data.state).toBe('booked')
})

test.each(['decline', 'cancel'] as const)(
  '[a link in the client] that the person does not open (%s) is given as text at once',
  async (action) => {
    const { book } = await clientOf(async () => action)
    const { text, data } = await book(await slot())
    expect(text).toMatch(/^The person did not open the link in their client\./)
    expect(text).toContain(data.link)
    expect(data.state).toBe('waiting_for_person')
  },
)

test('[a link in the client] is text where the client opens none', async () => {
  const { book, opened } = await clientOf(books, { elicitation: { form: {} } } as never)
  const { text, data } = await book(await slot())
  expect(text).toContain(data.link)
  expect(opened).toEqual([])
})

test.each(['', 'x', 'x.y', 'eyJsaW5rIjoiaHR0cHM6Ly9ldmlsLmV4YW1wbGUifQ.AAAA'])(
  '[a link in the client] what it comes again with is of this server: %j',
  async (requestState) => {
    const { body } = await shop.raw({
      method: 'POST',
      url: '/mcp',
      headers: {
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'book',
      },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'book',
          arguments: { slot_id: 'slot_x' },
          requestState,
          inputResponses: {},
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
          },
        },
      },
    })
    expect(body.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('not from this server') }],
    })
  },
)
