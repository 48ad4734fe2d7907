import { asMembers, type Members } from '../../caller/answer.ts'
import type { CheckContext } from '../../run/check-context.ts'
import { expectEqual, expectMembers, expectTrue, inCase } from '../../run/expectations.ts'
import { check } from '../check.ts'
import { expectSentence } from './mcp-messages.ts'

const needs = ['services.bookings', 'services.availability']

export const successChecks = [
  check(
    'REST-003 REST-004 REST-007 REST-009 PRO-095',
    'A creation gets HTTP 201, any other success HTTP 200; each body is an object with the version',
    async (c) => {
      await callManyOperations(c)
      for (const { request, answer } of c.exchanges) {
        const { pathname } = new URL(request.url)
        inCase(`${request.method} ${pathname}`, () => {
          const isCreation = request.method === 'POST' && /\/(holds|bookings)$/.test(pathname)
          expectEqual(answer?.status, isCreation ? 201 : 200, 'the HTTP status')
          const contentType = answer?.headers['content-type'] ?? ''
          expectTrue(/^application\/json/.test(contentType), 'application/json', contentType)
          const { usp } = expectMembers(JSON.parse(answer?.body ?? ''), 'the body')
          c.schemas.expectValid('usp#base', usp, 'usp')
        })
      }
    },
    { only: 'rest', needs },
  ),
  check(
    'MCP-007 MCP-008 MCP-009 PRO-095',
    'Each tool result has content for programs and a text for people',
    async (c) => {
      await callManyOperations(c)
      for (const { request, answer } of c.exchanges) {
        const { result } = expectMembers(JSON.parse(answer?.body ?? ''), 'the answer')
        const tool = String(asMembers(asMembers(JSON.parse(request.body ?? ''))?.params)?.name)
        inCase(tool, () => {
          const { structuredContent, content } = expectMembers(result, 'result')
          c.schemas.expectValid('usp#base', asMembers(structuredContent)?.usp, 'structuredContent.usp')
          expectSentence(content)
        })
      }
    },
    { only: 'mcp', needs },
  ),
  check(
    'REST-003',
    'A new subscription to the feed gets HTTP 201',
    async (c) => {
      const answer = await c.caller.call('subscribe', { callback_url: c.platform.hosted.webhookUrl })
      const subscription = asMembers(answer.success().subscription)
      c.afterwards(() => c.caller.call('unsubscribe', { subscription_id: subscription?.id }))
      expectEqual(answer.status, 201, 'the HTTP status')
    },
    { only: 'rest', needs: ['services.catalog.subscriptions'] },
  ),
]

/** Calls operations of the catalogue, the availability and the bookings. Each call must succeed. */
async function callManyOperations(c: CheckContext): Promise<void> {
  const service = c.simpleService
  const call = async (...[name, input]: Parameters<typeof c.caller.call>): Promise<Members> =>
    (await c.caller.call(name, input)).success()
  await call('listServices')
  await call('getService', { service_id: service.id })
  await call('lookupServices', { ids: [service.id] })
  const { booking } = await c.book(service)
  const on = { booking_id: booking.id }
  await call('getBooking', on)
  await call('updateBooking', { ...on, notes: 'Conformance' })
  const slot = await c.slot(service)
  await call('reschedule', { ...on, slot_id: slot.id })
  await call('cancelBooking', on)
  if (c.target.capability('services.availability')?.holds === true) await c.hold(service)
  if (c.target.capability('services.waitlist')) await call('listWaitlist')
  if (c.target.capability('discovery.registry')) await call('searchBusinesses', { query: 'conformance' })
}
