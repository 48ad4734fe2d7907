import { joinWaitlist as operation } from '../../domain/waitlist/join-waitlist.ts'
import { dateIn } from '../../infra/time/time-zone.ts'
import { TIME, timeText } from '../booking-flow/chosen-time.ts'
import { fullTime } from '../booking-flow/join-waitlist-page.ts'
import { hasWaitlist } from '../booking-flow/search-free-times.ts'
import { queryOf } from '../booking-flow/visitor-choices.ts'
import { callOperation, undefinedAtLimit } from './call-operation.ts'
import { type Chosen, choiceOf, chosenData, chosenOf, chosenText, slotIdInput } from './chosen-slot.ts'
import { entryData, entryText } from './describe-waitlist-entry.ts'
import { buyerOf, type Person, personInput } from './person-input.ts'
import { lines } from './quote-untrusted-text.ts'
import { defineTool, type ToolContext, ToolError, type ToolResult } from './tool-definition.ts'

export const joinWaitlist = defineTool<{ slot_id: string; person?: Person }>({
  name: 'join_waitlist',
  title: 'Join the waitlist',
  description:
    'For a time that find_times calls full: returns a link on which the person joins its waitlist. If you are ' +
    'signed in for them, with person they join at once.',
  input: { required: ['slot_id'], properties: { slot_id: slotIdInput, person: personInput } },
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ person, ...input }, toolContext) {
    const chosen = chosenOf(toolContext, input)
    const { plan, key } = chosen
    if (!hasWaitlist(plan)) throw new ToolError('This service has no waitlist. Call find_times for other times.')
    const query = queryOf(plan, choiceOf(chosen, dateIn(plan.zone, key.start)))
    query.set(TIME, timeText(key))
    if (!(await fullTime(plan, query, toolContext.dependencies)))
      throw new ToolError('This time is not full. Call find_times: it may be bookable.')
    const joined = toolContext.assistant && person && (await joinAtOnce(chosen, input.slot_id, person, toolContext))
    if (joined) return joined
    const link = `${toolContext.dependencies.config.baseUrl}/book/${plan.service.id}/waitlist?${query}`
    return {
      text: lines(
        `Full: ${chosenText(chosen)}. On this link the person joins the waitlist. They get a mail when a place ` +
          'becomes free:',
        link,
        'Next: give them the link unchanged.',
      ),
      data: { state: 'waiting_for_person', ...chosenData(chosen), link },
    }
  },
})

/**
 * Adds the signed-in person to the waitlist. Returns undefined if a limit is reached, such as the rate limit for
 * assistants.
 */
async function joinAtOnce(
  { plan }: Chosen,
  slot_id: string,
  person: Person,
  toolContext: ToolContext,
): Promise<ToolResult | undefined> {
  const input = { service_id: plan.service.id, slot_id, buyer: await buyerOf(person, toolContext) }
  const answer = await callOperation(operation, input, toolContext).catch(undefinedAtLimit)
  if (!answer) return undefined
  if (answer.refusal) throw new ToolError(answer.refusal.content)
  const { entry } = answer.result
  return {
    text: lines(
      entryText(entry, toolContext),
      'The person gets a mail when a place is offered; my_bookings shows the offer too.',
    ),
    data: { state: 'waiting', ...entryData(entry) },
  }
}
