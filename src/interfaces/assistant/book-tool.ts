import { HOLD_MINUTES, UNOPENED_MINUTES } from '../../domain/availability/availability-limits.ts'
import { holdSlot } from '../../domain/availability/hold-slot.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { newId } from '../../infra/util/random-bytes.ts'
import { newAssistedVisit } from '../../pipeline/page-visitor.ts'
import type { Hold } from '../../protocol/types.generated.ts'
import { needsAddress } from '../booking-flow/buyer-form.ts'
import { detailsAddress } from '../booking-flow/current-hold.ts'
import { queryOf } from '../booking-flow/visitor-choices.ts'
import { bookAtOnce } from './book-for-signed-in-account.ts'
import { bookByCode, mailCode, visitOfGuest } from './book-with-guest-code.ts'
import { statusCode } from './booking-status-tool.ts'
import { callAsAssistedVisitor, undefinedAtLimit } from './call-operation.ts'
import {
  type Chosen,
  choiceOf,
  chosenData,
  chosenOf,
  chosenText,
  partyInput,
  priceText,
  slotIdInput,
} from './chosen-slot.ts'
import { type Guest, guestInput, guestOf, type Person, personInput } from './person-input.ts'
import { lines } from './quote-untrusted-text.ts'
import { defineTool, type ToolContext, ToolError, type ToolResult } from './tool-definition.ts'

interface Input {
  slot_id: string
  party_size?: number
  person?: Person | Guest
  status_code?: string
  code?: string
}

const byLink =
  'Reserves a time and returns a link on which the person books it: they see the service and the price, enter ' +
  'their name and press the button. Pass the link on at once. Nothing is booked before that. '
const signedIn = 'If you are signed in for the person: with person it books at once, so ask them first.'
const byMail = ' Otherwise, with person.email, a code is mailed as well: a second call with the code books. '

/**
 * Defines the tool `book`. If the server can send mails, a person without an account can book too. The server mails a
 * code to the person, and the assistant books with this code.
 */
export const bookTool = (canMail: boolean) =>
  defineTool<Input>({
    name: 'book',
    title: 'Book',
    description: byLink + signedIn + (canMail ? byMail : ''),
    input: {
      required: ['slot_id'],
      properties: {
        slot_id: slotIdInput,
        party_size: partyInput,
        person: canMail ? guestInput : personInput,
        ...(canMail && {
          status_code: {
            type: 'string',
            maxLength: 200,
            description: 'With code: the status_code from the first call.',
          },
          code: { type: 'string', maxLength: 20, description: 'From the mail, as the person reads it.' },
        }),
      },
    },
    isShown: true,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    run,
  })

async function run(input: Input, toolContext: ToolContext): Promise<ToolResult> {
  const { slot_id, person, status_code, code } = input
  const chosen = chosenOf(toolContext, input)
  const guest = guestOf(chosen, person, toolContext)
  if (code !== undefined) {
    if (guest && status_code !== undefined)
      return bookByCode({ ...chosen, slot_id, guest }, { status_code, code }, toolContext)
    throw new ToolError('A call with code requires status_code, and person with email as in the first call.')
  }
  const isKnown = toolContext.assistant && !needsAddress(chosen.plan.service)
  const booked = isKnown && person && (await bookAtOnce(chosen, slot_id, person, toolContext))
  if (booked) return booked
  const id = guest && newId('gst')
  const visit = id === undefined ? newAssistedVisit() : visitOfGuest(id, toolContext)
  const hold = await holdFor(chosen, slot_id, visit, toolContext)
  const minutes =
    hold && guest && id !== undefined
      ? await mailCode({ ...chosen, slot_id, guest }, { id, hold: hold.id }, toolContext)
      : undefined
  const result = hold ? linkTo(chosen, { ...hold, visit, minutes }, toolContext) : linkWithoutHold(chosen, toolContext)
  return { ...result, words: (localizer) => [priceText(chosen, localizer)] }
}

/**
 * The text of the refusal if the slot is not free. An earlier call of the same assistant may have reserved the slot.
 * Without an account, the server cannot recognize this case, so the text mentions it.
 */
const TAKEN =
  'This time is occupied, or reserved by a link. If you gave a link to it, continue with that link and its ' +
  'status_code; otherwise call find_times for others.'

/**
 * Reserves the slot for some minutes. Returns undefined if a limit is reached. For example, unopened booking links of
 * assistants may reserve only a part of the times of a day.
 */
async function holdFor({ plan, party }: Chosen, slot_id: string, visitor: string, toolContext: ToolContext) {
  const input = { service_id: plan.service.id, slot_id, spots: party }
  const answer = await callAsAssistedVisitor(holdSlot, input, toolContext, { visitor }).catch(undefinedAtLimit)
  if (!answer?.refusal) return answer?.result.hold
  const { code, content } = answer.refusal
  const isGone = code === 'slot_unavailable'
  throw new ToolError(isGone ? TAKEN : `${content} Call find_times for others.`)
}

interface Kept extends Pick<Hold, 'id' | 'expires_at'> {
  visit: string
  /** The number of minutes for which the guest's mailed code is valid. Undefined if the server mailed no code. */
  minutes: number | undefined
}

function linkTo(
  chosen: Chosen,
  { id, visit, minutes, expires_at: kept_until }: Kept,
  { dependencies }: ToolContext,
): ToolResult {
  const { plan, key } = chosen
  const choice = choiceOf(chosen, dateIn(plan.zone, key.start))
  const link = dependencies.config.baseUrl + detailsAddress(plan, choice, { hold: id, visit })
  const status_code = statusCode(dependencies.tag, { id })
  return {
    text: lines(
      `Not booked yet: ${chosenText(chosen)}.`,
      `It is reserved for ${UNOPENED_MINUTES} minutes, and for ${HOLD_MINUTES} minutes after the person opens ` +
        'this link, on which they book it:',
      link,
      minutes === undefined
        ? 'Next: give them the link unchanged. When they say they have booked call booking_status with ' +
            `status_code="${status_code}".`
        : `Next: a code was mailed to the address and is valid for ${minutes} minutes. Ask the person for it. ` +
            `Then call book again with the same slot_id, party_size and person, with status_code="${status_code}" ` +
            'and code. If no mail comes, give them the link.',
    ),
    data: {
      state: 'waiting_for_person',
      ...chosenData(chosen),
      link,
      status_code,
      kept_until,
      kept_minutes: UNOPENED_MINUTES,
      kept_minutes_from_opening: HOLD_MINUTES,
      ...(minutes !== undefined && { code_minutes: minutes }),
    },
    ...(minutes === undefined && { opens: { link, status_code, what: chosenText(chosen) } }),
  }
}

function linkWithoutHold(chosen: Chosen, { dependencies }: ToolContext): ToolResult {
  const { plan, key } = chosen
  const query = queryOf(plan, choiceOf(chosen, dateIn(plan.zone, key.start)))
  const link = `${dependencies.config.baseUrl}/book/${plan.service.id}?${query}`
  return {
    text: lines(
      `Not booked and not reserved, since many links to times of this day are unopened: ${chosenText(chosen)}.`,
      'The person can still book it on this page, by choosing the time there, unless another person books it first:',
      link,
      'Next: give them the link unchanged. booking_status does not cover this link.',
    ),
    data: { state: 'not_kept', ...chosenData(chosen), link },
  }
}
