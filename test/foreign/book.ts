import createClient from 'openapi-fetch'
import type { components, paths } from './generated/usp.ts'

/** Uses nothing of the server's own code: what the description says is all that it knows. */
const [baseUrl = '', profile = '', apiKey = '', start_date = '', end_date = ''] = process.argv.slice(2)
const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${apiKey}` } })
const header = { 'USP-Agent': `profile="${profile}"` }

interface Answer {
  data?: { messages?: components['schemas']['Message'][] }
  error?: components['schemas']['ProblemDetails']
}

/** What was asked for, or why there is none. */
function given<T>(value: T | undefined, { data, error }: Answer): T {
  if (value !== undefined) return value
  throw new Error(error?.detail ?? data?.messages?.map(({ content }) => content).join(' ') ?? 'There was no answer.')
}

const listed = await api.POST('/usp/v1/services/list', { body: { filters: { type: 'appointment' } } })
const service = given(
  given(listed.data?.services, listed).find(({ pricing }) => (pricing.amount ?? 0) > 0),
  listed,
)

const asked = await api.POST('/usp/v1/availability/query', { body: { service_id: service.id, start_date, end_date } })
const slot = given(asked.data?.slots?.at(0), asked)

const held = await api.POST('/usp/v1/availability/holds', {
  params: { header },
  body: { service_id: service.id, slot_id: slot.id },
})
const hold = given(held.data?.hold, held)

const booked = await api.POST('/usp/v1/bookings', {
  params: { header: { ...header, 'Idempotency-Key': crypto.randomUUID() } },
  body: {
    service_id: service.id,
    slot_id: slot.id,
    hold_id: hold.id,
    buyer: { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' },
  },
})
const { id, status, slot: taken } = given(booked.data?.booking, booked)

const again = await api.POST('/usp/v1/availability/holds', {
  params: { header },
  body: { service_id: service.id, slot_id: slot.id },
})
const refusal = again.data?.messages?.at(0)?.code

const wrong = await api.POST('/usp/v1/availability/query', {
  body: { service_id: service.id, start_date: 'soon', end_date },
})
const fault = wrong.error?.errors?.at(0)?.field

console.log(JSON.stringify({ id, status, start: taken.start, offered: slot.start, refusal, fault }))
