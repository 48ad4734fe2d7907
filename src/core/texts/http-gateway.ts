import { createHmac } from 'node:crypto'
import { MINUTE, SECOND } from '../../infra/time/time-units.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { isEqualInConstantTime } from '../../protocol/keyed-digest.ts'
import { parseJson } from '../../protocol/parse-json-safely.ts'
import { callOutside } from '../egress/call-external-url.ts'
import { answerOf, ForgedReplyError, MOST_BYTES, type TextAdapter, TIMEOUT_MS } from './text-adapter.ts'

/**
 * Sends text messages through any program that accepts a signed-in HTTP call. docs/owners.md describes the call.
 * The program must send a message only once if it gets the same `Idempotency-Key` twice.
 */
export const httpGateway: TextAdapter = {
  isRepeatable: true,
  async send({ id, to, text, segments }, { url, sender, secret }, config) {
    const body = Buffer.from(JSON.stringify({ id, to, from: sender, text, segments }))
    const headers = {
      authorization: `Bearer ${secret}`,
      'content-type': 'application/json',
      'idempotency-key': id,
    }
    const request = { method: 'POST', headers, body, timeout: TIMEOUT_MS, mostBytes: MOST_BYTES } as const
    const answer = await answerOf(callOutside(url, request, config), httpGateway)
    if ('result' in answer) return answer
    const { status } = answer
    if (status >= 200 && status < 300) return { result: 'sent' }
    if (status === GONE) return { result: 'stopped' }
    const result = REFUSALS.includes(status) ? 'hopeless' : 'failed'
    return { result, problem: `The provider answered ${status}.` }
  },
  readReply({ header, body, now }, secret) {
    const [, seconds = '', signature = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header('usp-signature')) ?? []
    const signed = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
    if (!isEqualInConstantTime(signed, signature) || Math.abs(now.getTime() - Number(seconds) * SECOND) > MAX_AGE_MS)
      throw new ForgedReplyError('The call has no valid signature, or it was signed too long ago.')
    const { from, text } = asRecord(parseJson(body))
    return { id: signature, from: typeof from === 'string' ? from : '', text: typeof text === 'string' ? text : '' }
  },
  replyAnswer: { status: 200, type: 'application/json', body: '{}' },
}

/** How far the time in a signature may be from the time of this server. */
const MAX_AGE_MS = 5 * MINUTE

/** The status for a recipient who wants no text messages. */
const GONE = 410
/** The statuses for a message that the provider will never send. After all others, a later attempt can succeed. */
const REFUSALS: readonly number[] = [400, 422]
