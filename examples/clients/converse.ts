import { setTimeout } from 'node:timers/promises'

/** Calls a tool, and returns its answer as data. */
// biome-ignore lint/suspicious/noExplicitAny: the text of a tool describes its answer
export type Call = (tool: string, input?: Record<string, unknown>) => Promise<any>

/** Finds a service and a time, and books. A real assistant lets the person choose. This example takes the first ones. */
export async function bookSomething(call: Call, person?: { first_name: string; last_name: string }) {
  const { services } = await call('find_services', { query: 'haircut' })
  const { times } = await call('find_times', { service_ids: [services[0].service_id] })
  const { slot_id } = times[0].slots[0]
  const booked = await call('book', { slot_id, ...(person && { person }) })
  if (booked.state === 'booked') return console.log(`Booked: ${booked.booking_id}`)

  console.log(`Open ${booked.link}`)
  let status = booked
  while (status.state !== 'booked') {
    if (status.state === 'lapsed') throw new Error('The link was not opened in time.')
    await setTimeout(1_000)
    status = await call('booking_status', { status_code: booked.status_code })
  }
  console.log(`Booked: ${status.reference}`)
}

/** The data of an answer. If the tool refused the call, its text has the reason. */
export function dataOf({ isError, content, structuredContent }: Record<string, unknown>): unknown {
  if (isError) throw new Error(JSON.stringify(content))
  return structuredContent
}
