import type { OpenDatabase } from '../../infra/db/database.ts'
import { failureOf } from '../../infra/db/database-failures.ts'
import { traced, traceHeaders } from '../../infra/telemetry/tracing.ts'
import { SECOND, secondsOf } from '../../infra/time/time-units.ts'
import { SERVICE } from '../../protocol/capabilities.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { deploymentOf, ucpNative } from '../../protocol/deployment-modes.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { PlatformProfile } from '../../protocol/types.generated.ts'
import { zoneOf } from '../business/definition-facts.ts'
import { callOutside, EgressError } from '../egress/call-external-url.ts'
import type { WriteOutcome } from '../jobs/queue-worker.ts'
import { signedHeaders } from '../keys/sign-http-message.ts'
import { signingKey } from '../keys/signing-keys.ts'
import type { PlatformProfiles } from '../profiles/platform-profiles.ts'
import { eventBody, type SnapshotBodies } from './event-body.ts'
import type { Due } from './lease-deliveries.ts'
import {
  attemptInsert,
  attemptPostpone,
  bodyStore,
  type EventContent,
  eventContentFind,
  receiverEnd,
} from './queries.ts'
import { endsWhenGone, profileOf, TO_SUBSCRIPTION } from './receivers.ts'
import { isOrderEvent, orderEventHeaders, orderWebhookOf } from './ucp-order-events.ts'

export type DeliveryDependencies = Dependencies<'clock' | 'config' | 'business' | 'log' | 'signingBox'> & {
  db: OpenDatabase
  profiles: PlatformProfiles
  snapshotBodies: SnapshotBodies
}

const TIMEOUT_MS = 10_000
/**
 * The maximum number of bytes that the server reads from a receiver's answer to an event. The server does not use the
 * content of the answer.
 */
const MOST_BYTES = 64 * 1024
/**
 * Additional headers for event receivers that are MCP servers, because MCP servers refuse requests without these
 * headers. The version is the first MCP version that requires the version header, so all such servers know it.
 */
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
/** The default delays between the attempts to send an event. After the last attempt fails, the server stops trying. */
const DEFAULT_RETRIES = ['PT30S', 'PT2M', 'PT8M']

/** The delay in milliseconds before the next attempt, if the server could not read the event from its database. */
const POSTPONE_MS = 5 * SECOND

const GONE = 410

/**
 * The result of one attempt to send an event. `hopeless`: each further attempt would also fail. `gone`: the receiver
 * answered 410 and wants no more events. `postponed`: the server could not read the event from its database.
 */
interface Attempt {
  result: 'delivered' | 'unwanted' | 'failed' | 'hopeless' | 'gone' | 'postponed'
  status?: number
  problem?: string
}

/** Makes one attempt to send an event to one receiver. Returns a function that stores the result in the database. */
export async function sendEvent(dependencies: DeliveryDependencies, due: Due): Promise<WriteOutcome> {
  const begun = performance.now()
  const attempted = await traced(
    () => ({
      name: `send ${due.type}`,
      kind: 'producer',
      parent: due.traceparent ?? undefined,
      attributes: { 'messaging.message.id': due.event_id },
    }),
    async (span) => {
      const attempted = await attempt(due, dependencies).catch((error) => failure(error, due, dependencies))
      span?.note({ 'usp.outcome': attempted.result, 'http.response.status_code': attempted.status })
      return attempted
    },
  )
  const milliseconds = Math.round(performance.now() - begun)
  return () => writeOutcome(dependencies, due, attempted, milliseconds)
}

async function writeOutcome(
  dependencies: DeliveryDependencies,
  due: Due,
  { result, status, problem }: Attempt,
  milliseconds: number,
): Promise<void> {
  const { db, clock, log } = dependencies
  const now = clock()
  if (result === 'postponed') return attemptPostpone(db, due, new Date(now.getTime() + POSTPONE_MS))
  const wait = result === 'failed' ? await retryDelay(due.attempts, dependencies) : undefined
  const next = new Date(now.getTime() + (wait ?? 0))
  const finalStatus = result === 'delivered' || result === 'unwanted' ? result : 'given_up'
  if (result === 'gone') await receiverEnd(db, due.receiver, now)
  const outcome = { status: wait === undefined ? finalStatus : 'waiting', next } as const
  await attemptInsert(db, due, { status, problem, milliseconds, outcome }, now)
  if (outcome.status === 'given_up')
    log.warn(
      { event: due.event_id, receiver: due.receiver, problem },
      'An event was given up; `usp events show ID` says why.',
    )
}

async function attempt(due: Due, dependencies: DeliveryDependencies): Promise<Attempt> {
  const { clock, config } = dependencies
  const where = await findTarget(due, dependencies)
  if (!where) return { result: 'unwanted' }
  const event = await currentBody(due, dependencies)
  if (!event) return { result: 'unwanted' }
  const step = traceHeaders()
  const body = Buffer.from(JSON.stringify(bodyFor(due, event, { form: where.form, step })))
  // The server reads its signing key again for each attempt, because the staff may have withdrawn a stolen key since
  // the last attempt.
  const post = { method: 'POST', url: where.url, body } as const
  const key = await signingKey(dependencies, clock())
  const signed =
    where.form === 'order'
      ? signedHeaders(
          { ...post, headers: orderEventHeaders(due, config.baseUrl + ucpNative.profilePath) },
          key,
          clock(),
          'ucp',
        )
      : signedHeaders(post, key, clock())
  const headers = { ...signed, ...(where.form === 'mcp' && MCP_HEADERS), ...step }
  const request = { ...post, headers, timeout: TIMEOUT_MS, mostBytes: MOST_BYTES }
  const { status } = await callOutside(where.url, request, config)
  if (status >= 200 && status < 300) return { result: 'delivered', status }
  const isGone = status === GONE && endsWhenGone(due.receiver)
  return { result: isGone ? 'gone' : 'failed', status, problem: `answered ${status}` }
}

/**
 * Returns the body of an event right before the server sends it. The first call builds and stores the body, so all
 * receivers get the same body. Each call reads the event again, because the server may have erased personal data from
 * it meanwhile.
 */
async function currentBody(due: Due, dependencies: DeliveryDependencies): Promise<object | undefined> {
  const read = () => eventContentFind(dependencies.db, due.event_id)
  let content: EventContent | undefined = due.body === null ? due : await read()
  while (content?.body === null) {
    const body = await eventBody(
      { ...due, snapshot: content.snapshot },
      dependencies.snapshotBodies,
      await zoneOf(dependencies),
    )
    if (!body) return undefined
    if (await bodyStore(dependencies.db, due.event_id, body, content.version)) return body
    content = await read()
  }
  return content?.body
}

/**
 * Returns the result of an attempt that ended with an error. If the URL of the receiver is forbidden, the server does
 * not try again. All other failures can be temporary.
 */
function failure(error: unknown, due: Due, { log }: Dependencies<'log'>): Attempt {
  if (error instanceof EgressError)
    return { result: error.reason === 'forbidden' ? 'hopeless' : 'failed', problem: `The address ${error.message}` }
  if (error instanceof ProtocolError) return { result: 'failed', problem: error.message }
  if (failureOf(error) !== undefined) return { result: 'postponed' }
  log.error({ err: error, event: due.event_id, receiver: due.receiver }, 'The server could not make or send an event.')
  return { result: 'failed', problem: 'The server could not send it; its log says why' }
}

/**
 * Returns the milliseconds until the next attempt to send an event. Returns undefined if the server makes no further
 * attempt.
 */
async function retryDelay(attempts: number, { business }: Dependencies<'business'>): Promise<number | undefined> {
  const retries = (await business.get())?.events?.retries ?? DEFAULT_RETRIES
  const wait = retries[attempts]
  return wait === undefined ? undefined : secondsOf(wait) * 1000
}

/**
 * Finds the URL that receives an event: the callback URL of a subscription, or the webhook in a platform's profile.
 * Returns undefined if there is none, for example because the platform's profile names no webhook.
 */
async function findTarget(
  { receiver, callback_url, gone, subject }: Due,
  { profiles, business }: Dependencies<'business'> & { profiles: PlatformProfiles },
) {
  if (callback_url !== null) return { url: callback_url, form: 'plain' } as const
  const address = profileOf(receiver)
  if (address === undefined || gone) return undefined
  const { platformMembers: members } = deploymentOf(await business.get())
  // The server reads the platform's current profile before it sends an event. If the platform has removed its webhook,
  // the server must no longer send personal data to this webhook.
  const isOrder = isOrderEvent({ subject })
  const protocol = isOrder ? 'ucp' : 'usp'
  const profile = await profiles.get(address, { members, protocol, isForEvent: true, mustBeFresh: true })
  if (isOrder) {
    const url = orderWebhookOf(profile)
    return url === undefined ? undefined : ({ url, form: 'order' } as const)
  }
  const { webhook_url: url } = profile
  return url === undefined ? undefined : ({ url, form: prefersMcp(profile) ? 'mcp' : 'plain' } as const)
}

const prefersMcp = ({ usp }: PlatformProfile): boolean => usp.services?.[SERVICE]?.[0]?.transport === 'mcp'

/**
 * The form of an event that the receiver expects: plain JSON, a JSON-RPC message for MCP, or an order. `step` is the
 * trace context, which an MCP message contains in `_meta`.
 */
interface Form {
  form: 'plain' | 'mcp' | 'order'
  step: { traceparent?: string }
}

function bodyFor({ receiver }: Due, body: object, { form, step }: Form): object {
  const payload = receiver.startsWith(TO_SUBSCRIPTION)
    ? { ...body, subscription_id: receiver.slice(TO_SUBSCRIPTION.length) }
    : body
  if (form !== 'mcp') return payload
  const params = step.traceparent === undefined ? payload : { ...payload, _meta: step }
  return { jsonrpc: '2.0', method: 'usp_webhook', params }
}
