import { setTimeout as pass } from 'node:timers/promises'
import { type InputRequiredResult, inputRequired, inputResponse } from '@modelcontextprotocol/server'
import { SECOND } from '../../infra/time/time-units.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { isEqualInConstantTime, type Tag } from '../../protocol/keyed-digest.ts'
import { bookingStatus } from './booking-status-tool.ts'
import type { ClientRequest } from './client-capabilities.ts'
import { lines } from './quote-untrusted-text.ts'
import { type ToolContext, ToolError, type ToolResult, type UrlToOpen } from './tool-definition.ts'

const KEY = 'booking'
const PURPOSE = 'what a client was asked to open'
const TAG_BYTES = 24
/**
 * The maximum length of the signed state in characters. The MCP client (the assistant's program) sends this state back
 * with its next call. Even the longest link fits into the state after base64 encoding.
 */
const LONGEST = 10_000

/**
 * Returns a tool result that asks the MCP client (the assistant's program) to open the link. The result contains the
 * link as a signed state. The client sends this state back with its next call, so the server stores nothing.
 */
export function requestToOpenUrl({ link, status_code, what }: UrlToOpen, tag: Tag): InputRequiredResult {
  const state = Buffer.from(JSON.stringify({ link, status_code })).toString('base64url')
  return inputRequired({
    inputRequests: { [KEY]: inputRequired.elicitUrl({ message: `Check this and book it: ${what}`, url: link }) },
    requestState: `${state}.${tag(PURPOSE, state, TAG_BYTES)}`,
  })
}

/**
 * Returns the client's answer to the request to open a link (“elicitation” in MCP). Verifies the signed state that the
 * client sends back. Returns undefined if the call has no state, like a first call.
 */
export function elicitationResultIn({ mcpReq }: ClientRequest, tag: Tag) {
  const signedState = mcpReq.requestState()
  if (signedState === undefined) return undefined
  const [state = '', ...rest] = String(signedState).slice(0, LONGEST).split('.')
  if (rest.length !== 1 || !isEqualInConstantTime(tag(PURPOSE, state, TAG_BYTES), rest[0] ?? ''))
    throw new ToolError('This requestState is not from this server. Call book without it.')
  const { link, status_code } = asRecord(JSON.parse(Buffer.from(state, 'base64url').toString()))
  const answer = inputResponse(mcpReq.inputResponses, KEY)
  const isOpen = answer.kind === 'elicit' && answer.action === 'accept'
  return { link: String(link), status_code: String(status_code), isOpen }
}

/**
 * The limits for a call that waits until the person has booked. The server checks the status once a second for at most
 * 25 seconds, because MCP clients time out after a minute. At most 50 calls wait at the same time.
 */
const WAIT = { each: SECOND, times: 25, most: 50 }
let waiting = 0

/**
 * Waits until the person has booked on the opened page, and returns the status of the booking. If the waiting time ends
 * first, returns the status at that moment.
 */
export async function waitForOutcome(
  opened: NonNullable<ReturnType<typeof elicitationResultIn>>,
  toolContext: ToolContext,
): Promise<ToolResult> {
  const { link, status_code, isOpen } = opened
  const until = toolContext.now.getTime() + WAIT.each * WAIT.times
  let result = await bookingStatus.run({ status_code }, toolContext)
  if (isOpen && waiting < WAIT.most) {
    waiting++
    try {
      for (
        let times = 0;
        times < WAIT.times && isPending(result) && toolContext.dependencies.clock().getTime() < until;
        times++
      ) {
        await pass(WAIT.each)
        result = await bookingStatus.run({ status_code }, { ...toolContext, now: toolContext.dependencies.clock() })
      }
    } finally {
      waiting--
    }
  }
  if (!isPending(result)) return result
  const { text, data } = result
  return {
    text: lines(
      isOpen ? text : `The person did not open the link in their client. ${text}`,
      link,
      `When they say they have booked call booking_status with status_code="${status_code}".`,
    ),
    data: { ...data, link, status_code },
  }
}

const isPending = ({ data }: ToolResult) => ['waiting_for_person', 'opened'].includes(String(asRecord(data).state))
