import type { OpenDatabase } from '../../infra/db/database.ts'
import { failureOf } from '../../infra/db/failures.ts'
import { stepPassedOn, traced } from '../../infra/telemetry/tracing.ts'
import { secondsOf } from '../../infra/time/duration.ts'
import { SECOND } from '../../infra/time/units.ts'
import { SERVICE } from '../../protocol/capabilities.ts'
import { deploymentOf } from '../../protocol/deployment.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Means } from '../../protocol/means.ts'
import type { PlatformProfile } from '../../protocol/types.generated.ts'
import { zoneOf } from '../business/zone-of.ts'
import { callOutside, EgressError } from '../egress/egress.ts'
import type { WriteOutcome } from '../jobs/worker.ts'
import { signedHeaders } from '../keys/sign-request.ts'
import { signingKey } from '../keys/signing-keys.ts'
import type { PlatformProfiles } from '../profiles/platform-profiles.ts'
import { eventBody, type SnapshotBodies } from './event-body.ts'
import {
  attemptInsert,
  attemptPostpone,
  bodyStore,
  type Due,
  type EventContent,
  eventContentFind,
  receiverEnd,
} from './queries.ts'
import { endsWhenGone, profileOf, TO_SUBSCRIPTION } from './receivers.ts'

export type DeliveryMeans = Means<'clock' | 'config' | 'business' | 'log' | 'signingBox'> & {
  db: OpenDatabase
  profiles: PlatformProfiles
  snapshotBodies: SnapshotBodies
}

const TIMEOUT = 10_000
/** Nobody reads what a receiver answers. */
const MOST_BYTES = 64 * 1024
/** A server of MCP answers 406 or 400 without them. The revision is the first that has the header: all servers know it. */
const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }
/** From one attempt to the next; then it is given up. */
const USUAL_RETRIES = ['PT30S', 'PT2M', 'PT8M']

/** Milliseconds until the next attempt when this server could not read what to send. */
const POSTPONED_BY = 5 * SECOND

/** An address that nobody wants anything at any more. */
const GONE = 410

/**
 * How an attempt ended. A hopeless one is not repeated, and a receiver that is gone gets no other event either. A postponed one
 * could not be read from the database.
 */
interface Attempt {
  result: 'delivered' | 'unwanted' | 'failed' | 'hopeless' | 'gone' | 'postponed'
  status?: number
  problem?: string
}

/** Makes one attempt to send an event to one receiver, and returns how to write its outcome. */
export async function sendEvent(means: DeliveryMeans, due: Due): Promise<WriteOutcome> {
  const begun = performance.now()
  const made = await traced(
    () => ({
      ...{ name: `send ${due.type}`, kind: 'producer', parent: due.traceparent ?? undefined },
      attributes: { 'messaging.message.id': due.event_id },
    }),
    async (span) => {
      const made = await attempt(due, means).catch((error) => failure(error, due, means))
      span?.note({ 'usp.outcome': made.result, 'http.response.status_code': made.status })
      return made
    },
  )
  const milliseconds = Math.round(performance.now() - begun)
  return () => writeOutcome(means, due, made, milliseconds)
}

async function writeOutcome(
  means: DeliveryMeans,
  due: Due,
  { result, status, problem }: Attempt,
  milliseconds: number,
): Promise<void> {
  const { db, clock, log } = means
  const now = clock()
  if (result === 'postponed') return attemptPostpone(db, due, new Date(now.getTime() + POSTPONED_BY))
  const wait = result === 'failed' ? await waitAfter(due.attempts, means) : undefined
  const next = new Date(now.getTime() + (wait ?? 0))
  const finalStatus = result === 'delivered' || result === 'unwanted' ? result : 'given_up'
  if (result === 'gone') await receiverEnd(db, due.receiver, now)
  const outcome = { status: wait === undefined ? finalStatus : 'waiting', next } as const
  await attemptInsert(db, due, { status, problem, milliseconds }, outcome, now)
  if (outcome.status === 'given_up')
    log.warn(
      { event: due.event_id, receiver: due.receiver, problem },
      'An event was given up; `usp events show ID` says why.',
    )
}

async function attempt(due: Due, means: DeliveryMeans): Promise<Attempt> {
  const { clock, config } = means
  const where = await whereTo(due, means)
  if (!where) return { result: 'unwanted' }
  const event = await presentBody(due, means)
  if (!event) return { result: 'unwanted' }
  const step = stepPassedOn()
  const body = Buffer.from(JSON.stringify(bodyFor(due, event, { form: where.form, step })))
  // Asked for right before it signs: a key may have been withdrawn since the last time.
  const post = { method: 'POST', url: where.url, body } as const
  const signed = signedHeaders(post, await signingKey(means, clock()), clock())
  const headers = { ...signed, ...(where.form === 'mcp' && MCP_HEADERS), ...step }
  const request = { ...post, headers, timeout: TIMEOUT, mostBytes: MOST_BYTES }
  const { status } = await callOutside(where.url, request, config)
  if (status >= 200 && status < 300) return { result: 'delivered', status }
  const isGone = status === GONE && endsWhenGone(due.receiver)
  return { result: isGone ? 'gone' : 'failed', status, problem: `answered ${status}` }
}

/**
 * The body of an event is made once, and all its receivers get the same. It is read again right before it is sent: people may have
 * been erased from it since this delivery was taken.
 */
async function presentBody(due: Due, means: DeliveryMeans): Promise<object | undefined> {
  const read = () => eventContentFind(means.db, due.event_id)
  let content: EventContent | undefined = due.body === null ? due : await read()
  while (content?.body === null) {
    const body = eventBody({ ...due, snapshot: content.snapshot }, means.snapshotBodies, await zoneOf(means))
    if (await bodyStore(means.db, due.event_id, body, content.version)) return body
    content = await read()
  }
  return content?.body
}

/** An address that may not be called will not be allowed later: it is said once. Anything else may pass. */
function failure(error: unknown, due: Due, { log }: Means<'log'>): Attempt {
  if (error instanceof EgressError)
    return { result: error.reason === 'forbidden' ? 'hopeless' : 'failed', problem: `The address ${error.message}` }
  if (error instanceof ProtocolError) return { result: 'failed', problem: error.message }
  if (failureOf(error) !== undefined) return { result: 'postponed' }
  log.error({ err: error, event: due.event_id, receiver: due.receiver }, 'The server could not make or send an event.')
  return { result: 'failed', problem: 'The server could not send it; its log says why' }
}

/** Milliseconds until the next attempt; nothing when this was the last. */
async function waitAfter(attempts: number, { business }: Means<'business'>): Promise<number | undefined> {
  const retries = (await business.get())?.events?.retries ?? USUAL_RETRIES
  const wait = retries[attempts]
  return wait === undefined ? undefined : secondsOf(wait) * 1000
}

/** A platform says in its profile where it is told, if at all; a subscription brought its own address. */
async function whereTo(
  { receiver, callback_url, gone }: Due,
  { profiles, business }: Means<'business'> & { profiles: PlatformProfiles },
) {
  if (callback_url !== null) return { url: callback_url, form: 'plain' } as const
  const address = profileOf(receiver)
  if (address === undefined || gone) return undefined
  const { platformMembers: members } = deploymentOf(await business.get())
  // A platform that has withdrawn its address gets nothing personal there any more.
  const profile = await profiles.get(address, { members, mustBeFresh: true })
  const { webhook_url: url } = profile
  return url === undefined ? undefined : ({ url, form: prefersMcp(profile) ? 'mcp' : 'plain' } as const)
}

const prefersMcp = ({ usp }: PlatformProfile): boolean => usp.services?.[SERVICE]?.[0]?.transport === 'mcp'

/** How a receiver wants it, and what its `_meta` then says. */
interface Form {
  form: 'plain' | 'mcp'
  step: { traceparent?: string }
}

function bodyFor({ receiver }: Due, body: object, { form, step }: Form): object {
  const payload = receiver.startsWith(TO_SUBSCRIPTION)
    ? { ...body, subscription_id: receiver.slice(TO_SUBSCRIPTION.length) }
    : body
  if (form === 'plain') return payload
  const params = step.traceparent === undefined ? payload : { ...payload, _meta: step }
  return { jsonrpc: '2.0', method: 'usp_webhook', params }
}
