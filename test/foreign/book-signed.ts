/**
 * Books and cancels with a client that openapi-typescript generated from the OpenAPI document. http-message-sig signs
 * the calls. The arguments are the address of the server, the profile of the platform, and the id of its key. The
 * standard input has the key.
 */
import { createPrivateKey, hash, sign } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { signatureHeaders } from 'http-message-sig'
import createClient from 'openapi-fetch'
import type { paths } from './generated/usp.ts'

const [baseUrl = '', profile = '', keyid = ''] = process.argv.slice(2)
const key = createPrivateKey(await text(process.stdin))
const components = ['@method', '@authority', '@path', 'usp-agent', 'idempotency-key', 'content-digest', 'content-type']
const signer = {
  keyid,
  alg: 'ecdsa-p256-sha256' as const,
  sign: (base: string) => sign('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }),
}

const plain = createClient<paths>({ baseUrl })
const signing = createClient<paths>({ baseUrl })
signing.use({
  async onRequest({ request }) {
    const body = Buffer.from(await request.clone().arrayBuffer())
    request.headers.set('content-digest', `sha-256=:${hash('sha256', body, 'base64')}:`)
    for (const [name, value] of Object.entries(await signatureHeaders(request, { components, signer })))
      request.headers.set(name, value)
    return request
  },
})

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

const service_id = 'svc_haircut'
const found = await plain.POST('/usp/v1/availability/query', {
  body: { service_id, start_date: day(2), end_date: day(9) },
})
const slot_id = found.data?.slots?.[0]?.id ?? ''
const newHeaders = () => ({ 'USP-Agent': `profile="${profile}"`, 'Idempotency-Key': crypto.randomUUID() })
const booked = await signing.POST('/usp/v1/bookings', {
  params: { header: newHeaders() },
  body: { service_id, slot_id, buyer: { first_name: 'Alice', last_name: 'Williams', email: 'alice@example.com' } },
})
if (!booked.data?.booking) throw new Error(JSON.stringify(booked.error ?? booked.data))
const { id, status } = booked.data.booking
const canceled = await signing.POST('/usp/v1/bookings/{booking_id}/cancel', {
  params: { header: newHeaders(), path: { booking_id: id } },
  body: {},
})
if (!canceled.data?.booking) throw new Error(JSON.stringify(canceled.error ?? canceled.data))
console.log(JSON.stringify({ id, statuses: [status, canceled.data.booking.status] }))
