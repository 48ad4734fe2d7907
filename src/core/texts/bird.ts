import { createHash, createHmac } from 'node:crypto'
import { asRecord } from '../../infra/util/object-members.ts'
import { isEqualInConstantTime } from '../../protocol/keyed-digest.ts'
import { parseJson } from '../../protocol/parse-json-safely.ts'
import { callOutside } from '../egress/call-external-url.ts'
import { answerOf, ForgedReplyError, MOST_BYTES, type TextAdapter, TIMEOUT_MS } from './text-adapter.ts'
import { refusalOf } from './text-refusal.ts'

/**
 * Sends text messages through Bird, which was MessageBird: https://docs.bird.com/api/channels-api/api-reference/messaging. Bird
 * does not recognize a repeated message. The account is the id of the workspace and the id of the channel, with a slash between.
 */
export const bird: TextAdapter = {
  isRepeatable: false,
  usualUrl: 'https://api.bird.com',
  host: /(?:^|\.)bird\.com$/,
  account: {
    pattern: /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/i,
    rule: 'The account is the id of the workspace and the id of the channel, with a slash between.',
  },
  async send({ id, to, text }, { url, account, secret }, config) {
    const [workspace = '', channel = ''] = account.split('/').map(encodeURIComponent)
    const receiver = { contacts: [{ identifierKey: 'phonenumber', identifierValue: to }] }
    const body = Buffer.from(JSON.stringify({ receiver, body: { type: 'text', text: { text } }, reference: id }))
    const headers = {
      authorization: `AccessKey ${secret}`,
      'content-type': 'application/json',
      accept: 'application/json',
    }
    const address = new URL(`/workspaces/${workspace}/channels/${channel}/messages`, url).href
    const request = { method: 'POST', headers, body, timeout: TIMEOUT_MS, mostBytes: MOST_BYTES } as const
    const answer = await answerOf(callOutside(address, request, config), bird)
    if ('result' in answer) return answer
    const { status } = answer
    if (status >= 200 && status < 300) return { result: 'sent' }
    return refusalOf('Bird', answer, { isHopeless: status === 400 || status === 422 })
  },
  // Bird signs its calls with a key that the owner chooses. It must be the access key, so that the server stores one secret.
  readReply({ url, header, body }, secret) {
    const digest = createHash('sha256').update(body).digest()
    const signed = createHmac('sha256', secret)
      .update(`${header('messagebird-request-timestamp')}\n${url}\n`)
      .update(digest)
      .digest('base64')
    if (!isEqualInConstantTime(signed, header('messagebird-signature')))
      throw new ForgedReplyError('The call has no valid signature.')
    const { event, payload } = asRecord(parseJson(body))
    // A subscription can also report sent messages.
    if (event !== 'sms.inbound') return NO_REPLY
    const { id, sender, body: content } = asRecord(payload)
    const from = asRecord(asRecord(sender).contact).identifierValue
    const text = asRecord(asRecord(content).text).text
    // Bird repeats a call for eight hours, each time with another signature. Only the id stays the same.
    return { id: textOf(id), from: textOf(from), text: textOf(text) }
  },
  replyAnswer: { status: 200, type: 'application/json', body: '{}' },
}

const NO_REPLY = { id: '', from: '', text: '' }
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
