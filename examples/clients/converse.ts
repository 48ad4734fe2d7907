import { setTimeout } from 'node:timers/promises'

/** Calls a tool, and gives what it says as data. */
// biome-ignore lint/suspicious/noExplicitAny: what a tool says is described in its text
export type Call = (tool: string, input?: Record<string, unknown>) => Promise<any>

/** From a wish to a booking. A model reads the texts and chooses; here the first that comes is good enough. */
export async function bookSomething(call: Call, person?: { first_name: string; last_name: string }) {
  const { services } = await call('find_services', { query: 'haircut' })
  const { times } = await call('find_times', { service_ids: [services[0].service_id] })
  const { slot_id } = times[0].slots[0]
  const booked = await call('book', { slot_id, ...(person && { person }) })
  if (booked.state === 'booked') return console.log(`Booked: ${booked.booking_id}`)

  console.log(`Open ${booked.link}`)
  let told = booked
  while (told.state !== 'booked') {
    if (told.state === 'lapsed') throw new Error('Nobody opened the link in time.')
    await setTimeout(1_000)
    told = await call('booking_status', { status_code: booked.status_code })
  }
  console.log(`Booked: ${told.reference}`)
}

/** What a tool refuses is told in its text. */
export function dataOf({ isError, content, structuredContent }: Record<string, unknown>): unknown {
  if (isError) throw new Error(JSON.stringify(content))
  return structuredContent
}
