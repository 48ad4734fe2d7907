import { createHmac } from 'node:crypto'
import { isEqualInConstantTime } from '../../protocol/keyed-digest.ts'
import { callOutside, type EgressResponse } from '../egress/call-external-url.ts'
import {
  answerOf,
  ForgedReplyError,
  MOST_BYTES,
  type TextAdapter,
  type TextResult,
  TIMEOUT_MS,
} from './text-adapter.ts'
import { errorIn, refusalOf } from './text-refusal.ts'

/** Twilio's error code for a recipient who answered STOP. */
const STOPPED = '21610'
/**
 * Twilio's error codes for recipients that no message can reach, such as invalid numbers (21211, 21217) and landlines
 * (21614). With other errors, the reason can be a setting, and a later attempt can succeed.
 */
const UNREACHABLE = ['21211', '21217', '21612', '21614']

/**
 * Sends text messages through Twilio: https://www.twilio.com/docs/messaging/api/message-resource. Twilio does not
 * recognize a repeated message.
 */
export const twilio: TextAdapter = {
  isRepeatable: false,
  usualUrl: 'https://api.twilio.com',
  host: /(?:^|\.)twilio\.com$/,
  account: { pattern: /^AC[0-9a-f]{32}$/, rule: 'The Account SID begins with AC and has 34 characters.' },
  sender: {
    // A phone number, a name, or the id of a messaging service.
    pattern: /^(?:\+[1-9]\d{6,14}|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}|MG[0-9a-f]{32})$/,
    rule:
      'The sender must be a phone number such as +12125551234, a name of up to 11 letters and digits, or an id that ' +
      'begins with MG.',
  },
  async send({ to, text }, { url, account, sender, secret }, config) {
    // A sender that begins with MG is a messaging service, which chooses one of its phone numbers.
    const from = /^MG[0-9a-f]{32}$/.test(sender) ? { MessagingServiceSid: sender } : { From: sender }
    const body = Buffer.from(new URLSearchParams({ To: to, ...from, Body: text }).toString())
    const headers = {
      authorization: `Basic ${Buffer.from(`${account}:${secret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    }
    const address = new URL(`/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`, url).href
    const request = { method: 'POST', headers, body, timeout: TIMEOUT_MS, mostBytes: MOST_BYTES } as const
    const answer = await answerOf(callOutside(address, request, config), twilio)
    return 'result' in answer ? answer : resultOf(answer)
  },
  readReply({ url, header, body }, secret) {
    const fields = new URLSearchParams(body.toString('utf8'))
    const signature = header('x-twilio-signature')
    if (!isEqualInConstantTime(signatureOf(url, fields, secret), signature))
      throw new ForgedReplyError('The call has no valid signature.')
    // The signature covers the MessageSid, so that no two messages have the same one.
    return { id: signature, from: fields.get('From') ?? '', text: fields.get('Body') ?? '' }
  },
  replyAnswer: { status: 200, type: 'text/xml', body: '<Response/>' },
}

/** Signs a call like Twilio: the URL and the fields in the order of their names, under the Auth Token. */
function signatureOf(url: string, fields: URLSearchParams, secret: string): string {
  const sorted = [...fields].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
  return createHmac('sha1', secret)
    .update(`${url}${sorted.flat().join('')}`)
    .digest('base64')
}

function resultOf(answer: EgressResponse): TextResult {
  if (answer.status >= 200 && answer.status < 300) return { result: 'sent' }
  const { code } = errorIn(answer.body)
  if (code === STOPPED) return { result: 'stopped' }
  return refusalOf('Twilio', answer, { isHopeless: code !== undefined && UNREACHABLE.includes(code) })
}
