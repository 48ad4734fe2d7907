import type { Runtime } from '../runtime.ts'
import { callOutside, EgressError } from '../trust/egress.ts'
import type { ServerKey } from '../trust/signing-keys.ts'
import { eventBody } from './event-body.ts'
import { attemptInsert, bodyKeep, type Due } from './queries.ts'
import { webhookHeaders } from './sign-webhook.ts'

const TIMEOUT = 10_000
/** Nobody reads what a receiver answers. */
const MOST_BYTES = 64 * 1024
/** Milliseconds from one attempt to the next; then it is given up. */
export const RETRIES = [30_000, 120_000, 480_000]

type Where = { url: string; form: 'plain' | 'mcp' } | undefined

/** Sends one event to one receiver, once, and writes down how it went. */
export async function deliver(runtime: Runtime, due: Due, key: ServerKey): Promise<void> {
  const { db, clock, log } = runtime
  const begun = performance.now()
  const attempt = await send(due, key, runtime).catch((error: unknown) => ({
    status: undefined,
    problem: error instanceof EgressError ? error.message : 'could not be reached',
  }))
  const { status, problem } = attempt
  const milliseconds = Math.round(performance.now() - begun)
  const now = clock()
  const wait = RETRIES[due.attempts]
  const outcome =
    attempt.status === 0
      ? 'unwanted'
      : problem === undefined
        ? 'delivered'
        : wait === undefined
          ? 'given_up'
          : 'waiting'
  const next = new Date(now.getTime() + (wait ?? 0))
  await attemptInsert(db, due, { status: status || undefined, problem, milliseconds }, { status: outcome, next }, now)
  if (outcome === 'given_up') log.warn({ event: due.event_id, receiver: due.receiver, problem }, 'event given up')
}

async function send(
  due: Due,
  key: ServerKey,
  runtime: Runtime,
): Promise<{ status: number | undefined; problem: string | undefined }> {
  const where = await whereTo(due, runtime)
  if (!where) return { status: 0, problem: undefined }
  const event = due.body ?? (await bodyKeep(runtime.db, due.event_id, eventBody(due, runtime)))
  const body = Buffer.from(JSON.stringify(bodyFor(due, event, where.form)))
  const headers = webhookHeaders(where.url, body, key, runtime.clock())
  const request = { method: 'POST', headers, body, timeout: TIMEOUT, mostBytes: MOST_BYTES } as const
  const { status } = await callOutside(where.url, request, runtime.config)
  return { status, problem: status >= 200 && status < 300 ? undefined : `answered ${status}` }
}

/** A platform says in its profile where it is told, if at all; a subscription brought its own address. */
async function whereTo({ receiver, callback_url }: Due, { profiles }: Runtime): Promise<Where> {
  if (callback_url !== null) return { url: callback_url, form: 'plain' }
  if (!receiver.startsWith('profile ')) return undefined
  const profile = await profiles.get(receiver.slice('profile '.length))
  const { webhook_url: url } = profile
  return url === undefined ? undefined : { url, form: prefersMcp(profile) ? 'mcp' : 'plain' }
}

/** Whether the platform's profile names `mcp` first among the transports it consumes. */
const prefersMcp = ({ usp }: { usp: { services?: unknown } }): boolean => {
  const [first]: unknown[] = Object.values(Object(usp.services)).flat()
  return Object(first).transport === 'mcp'
}

function bodyFor({ receiver }: Due, body: object, form: 'plain' | 'mcp'): object {
  const told = receiver.startsWith('subscription ')
    ? { ...body, subscription_id: receiver.slice('subscription '.length) }
    : body
  return form === 'mcp' ? { jsonrpc: '2.0', method: 'usp_webhook', params: told } : told
}
