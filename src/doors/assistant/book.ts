import { holdSlot } from '../../availability/hold-slot.ts'
import { HOLD_MINUTES, UNOPENED_MINUTES } from '../../availability/limits.ts'
import { newAssistedVisit } from '../../pipeline/visitor.ts'
import type { Hold } from '../../protocol/types.generated.ts'
import { dateIn } from '../../time/zone.ts'
import { needsAddress } from '../book/buyer-form.ts'
import { queryOf } from '../book/choice.ts'
import { detailsAddress } from '../book/kept.ts'
import { type Person, personInput } from './account.ts'
import { askAsVisitor } from './ask.ts'
import { bookAtOnce } from './book-at-once.ts'
import { type Chosen, choiceOf, chosenData, chosenOf, chosenText, partyInput, priceText, slotIdInput } from './slots.ts'
import { statusCode } from './status-code.ts'
import { type Asked, defineTool, type Said, Unable } from './tool.ts'
import { unlessTooMany } from './unless-too-many.ts'
import { lines } from './words.ts'

interface Input {
  slot_id: string
  party_size?: number
  person?: Person
}

export const book = defineTool<Input>({
  name: 'book',
  title: 'Book',
  description:
    'Keeps a time for the person and gives a link on which they book it: they see what it is and costs, write their ' +
    'name and press the button. Pass the link on at once. Nothing is booked before. Only if you are signed in for them: ' +
    'with person it books at once, so ask them first.',
  input: {
    required: ['slot_id'],
    properties: { slot_id: slotIdInput, party_size: partyInput, person: personInput },
  },
  isShown: true,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run(input, asked) {
    const chosen = chosenOf(asked, input)
    const isKnown = asked.assistant && !needsAddress(chosen.plan.service)
    const booked = isKnown && input.person && (await bookAtOnce(chosen, input.slot_id, input.person, asked))
    if (booked) return booked
    const visit = newAssistedVisit()
    const hold = await holdFor(chosen, input.slot_id, visit, asked)
    const link = hold ? linkTo(chosen, { ...hold, visit }, asked) : linkWithoutHold(chosen, asked)
    return { ...link, words: (speech) => [priceText(chosen, speech)] }
  },
})

/** Who calls without an account is nobody in particular: what an earlier call kept is not known as theirs. */
const TAKEN =
  'This time is taken, or kept by a link. If you gave a link to it go on with that one and its status_code; else call find_times for others.'

/** Nothing where as much is kept already by links that nobody has opened. */
async function holdFor({ plan, party }: Chosen, slot_id: string, visit: string, asked: Asked) {
  const input = { service_id: plan.service.id, slot_id, spots: party }
  const answer = await askAsVisitor(holdSlot, input, asked, visit).catch(unlessTooMany)
  if (!answer?.refusal) return answer?.result.hold
  const { code, content } = answer.refusal
  const isGone = code === 'slot_unavailable'
  throw new Unable(isGone ? TAKEN : `${content} Call find_times for others.`)
}

function linkTo(chosen: Chosen, kept: Pick<Hold, 'id' | 'expires_at'> & { visit: string }, { means }: Asked): Said {
  const { plan, key } = chosen
  const { id, visit, expires_at: kept_until } = kept
  const choice = choiceOf(chosen, dateIn(plan.zone, key.start))
  const link = means.config.baseUrl + detailsAddress(plan, choice, { hold: id, visit })
  const status_code = statusCode(means.tag, { id })
  return {
    text: lines(
      `Not booked yet: ${chosenText(chosen)}.`,
      `It is kept for ${UNOPENED_MINUTES} minutes, and for ${HOLD_MINUTES} from when the person opens this link, on which they book it:`,
      link,
      `Next: give them the link as it is. When they say they have booked call booking_status with status_code="${status_code}".`,
    ),
    data: {
      ...{ state: 'waiting_for_person', ...chosenData(chosen) },
      ...{ link, status_code, kept_until, kept_minutes: UNOPENED_MINUTES, kept_minutes_from_opening: HOLD_MINUTES },
    },
  }
}

function linkWithoutHold(chosen: Chosen, { means }: Asked): Said {
  const { plan, key } = chosen
  const query = queryOf(plan, choiceOf(chosen, dateIn(plan.zone, key.start)))
  const link = `${means.config.baseUrl}/book/${plan.service.id}?${query}`
  return {
    text: lines(
      `Not booked, and not kept either, since many links to times of this day wait to be opened: ${chosenText(chosen)}.`,
      'The person can still book it, as long as nobody is faster: on this page they press the time.',
      link,
      'Next: give them the link as it is. booking_status cannot tell what becomes of it.',
    ),
    data: { state: 'not_kept', ...chosenData(chosen), link },
  }
}
