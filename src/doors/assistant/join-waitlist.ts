import { dateIn } from '../../time/zone.ts'
import { queryOf } from '../book/choice.ts'
import { TIME, timeText } from '../book/chosen-time.ts'
import { canQueue } from '../book/free-times.ts'
import { fullTime } from '../book/waitlist-page.ts'
import { choiceOf, chosenData, chosenOf, chosenText, slotIdInput } from './slots.ts'
import { defineTool, Unable } from './tool.ts'
import { lines } from './words.ts'

export const joinWaitlist = defineTool<{ slot_id: string }>({
  name: 'join_waitlist',
  title: 'Join the waitlist',
  description: 'For a time that find_times calls full: gives a link on which the person joins its waitlist.',
  input: { required: ['slot_id'], properties: { slot_id: slotIdInput } },
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(input, asked) {
    const chosen = chosenOf(asked, input)
    const { plan, key } = chosen
    if (!canQueue(plan)) throw new Unable('This service has no waitlist. Call find_times for other times.')
    const query = queryOf(plan, choiceOf(chosen, dateIn(plan.zone, key.start)))
    query.set(TIME, timeText(key))
    if (!(await fullTime(plan, query, asked.means)))
      throw new Unable('This time is not full. Call find_times: it may be free to book.')
    const link = `${asked.means.config.baseUrl}/book/${plan.service.id}/waitlist?${query}`
    return {
      text: lines(
        `Full: ${chosenText(chosen)}. On this link the person joins the waitlist, and is mailed when a place comes free:`,
        link,
        'Next: give them the link as it is.',
      ),
      data: { state: 'waiting_for_person', ...chosenData(chosen), link },
    }
  },
})
