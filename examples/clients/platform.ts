/**
 * Books as a platform, with the tools of the protocol at /usp/mcp. The platform needs an API key of the business, which
 * `npm run usp -- clients add NAME` prints:
 *
 *   USP_API_KEY=usk_… npx node platform.ts http://127.0.0.1:8080/usp/mcp https://platform.example/profile.json
 *
 * The second address is the address of the profile of the platform. docs/platforms.md describes profiles.
 */
import { randomUUID } from 'node:crypto'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const [, , address = '', profile = ''] = process.argv
const client = new Client({ name: 'example', version: '1' }, { versionNegotiation: { mode: 'auto' } })
await client.connect(
  new StreamableHTTPClientTransport(new URL(address), {
    requestInit: { headers: { authorization: `Bearer ${process.env.USP_API_KEY}` } },
  }),
)

/** Each call names the profile. A change also has an idempotency key. With it the server recognizes a repeated call. */
// biome-ignore lint/suspicious/noExplicitAny: the OpenRPC document describes the answers
async function call(name: string, input: Record<string, unknown>, more = {}): Promise<any> {
  const result = await client.callTool({ name, arguments: { ...input, _meta: { usp: { profile, ...more } } } })
  const answer = Object(result.structuredContent)
  // If a rule of the business forbids the call, the answer has the reason. If the server cannot process the call, callTool throws.
  const refusal = answer.messages?.find(({ type }: { type: string }) => type === 'error')
  if (refusal) throw new Error(refusal.content)
  return answer
}
const change = (name: string, input: Record<string, unknown>) => call(name, input, { idempotency_key: randomUUID() })

const { services } = await call('usp_services_list', { query: 'haircut' })
const service_id = services[0].id
const dayAfter = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
const { slots } = await call('usp_availability_query', { service_id, start_date: dayAfter(1), end_date: dayAfter(14) })
const slot_id = slots[0].id
const { hold } = await change('usp_availability_hold', { service_id, slot_id })
const { booking } = await change('usp_bookings_create', {
  ...{ service_id, slot_id, hold_id: hold.id },
  buyer: { first_name: 'Rosa', last_name: 'Díaz', email: 'rosa@example.com', phone_number: '+12125550143' },
})
console.log(`Booked: ${booking.id}, ${booking.status}`)
await client.close()
