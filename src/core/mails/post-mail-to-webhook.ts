import { traceHeaders } from '../../infra/telemetry/tracing.ts'
import { omitUndefined } from '../../infra/util/object-members.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { callOutside, EgressError } from '../egress/call-external-url.ts'
import { signedHeaders } from '../keys/sign-http-message.ts'
import { signingKey } from '../keys/signing-keys.ts'
import { notificationAsText } from './mail-text.ts'
import type { Composed } from './notification-text.ts'
import type { MailRow } from './queries.ts'
import type { SendResult } from './smtp.ts'

const TIMEOUT_MS = 10_000
const MOST_BYTES = 64 * 1024

/**
 * Sends a notification as data to the webhook of the business. The server signs the request, and the webhook can verify
 * the signature with the public key in the server's profile.
 */
export async function postMessage(
  url: string,
  mail: MailRow,
  composed: Composed,
  dependencies: Dependencies<'db' | 'clock' | 'config' | 'signingBox'>,
): Promise<SendResult> {
  const body = Buffer.from(JSON.stringify(messageData(mail, composed)))
  const post = { method: 'POST', url, body } as const
  try {
    const now = dependencies.clock()
    const headers = { ...signedHeaders(post, await signingKey(dependencies, now), now), ...traceHeaders() }
    const { status } = await callOutside(
      url,
      { ...post, headers, timeout: TIMEOUT_MS, mostBytes: MOST_BYTES },
      dependencies.config,
    )
    return status >= 200 && status < 300 ? { result: 'sent' } : { result: 'failed', problem: `answered ${status}` }
  } catch (error) {
    if (!(error instanceof EgressError)) throw error
    return { result: error.reason === 'forbidden' ? 'hopeless' : 'failed', problem: `The address ${error.message}` }
  }
}

const messageData = (
  { id, kind, subject, audience, recipient, phone, created_at }: MailRow,
  { letter, localizer }: Composed,
) => ({
  id,
  kind,
  about: subject,
  audience,
  recipient: omitUndefined({ email: recipient || undefined, phone: phone ?? undefined }),
  language: localizer.locale,
  timestamp: created_at.toISOString(),
  subject: letter.subject,
  text: notificationAsText(letter, localizer),
  rows: (letter.rows ?? []).map(([name, value]) => ({ name, value })),
  actions: letter.actions ?? [],
})
