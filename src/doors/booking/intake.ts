import type { BookingRecord } from '../../bookings/booking-row.ts'
import { lockAndExpire } from '../../bookings/change-booking.ts'
import { completeTask } from '../../bookings/complete-task.ts'
import { awaits } from '../../bookings/tasks.ts'
import { type Content, html } from '../pages/html.ts'
import type { View } from '../pages/layout.ts'
import { deadlineText, openTasks } from './open-tasks.ts'
import type { PageContext } from './page-context.ts'
import type { PageKind } from './page-kind.ts'
import { summary } from './summary.ts'
import { taskStatusView } from './task-status.ts'

const ANSWER_LENGTH = 2000

type Question = NonNullable<BookingRecord['intake']>[number]
/** What was given, and what is wrong with it, each by the id of its question. */
interface Given {
  answers: ReadonlyMap<string, string>
  faults: ReadonlyMap<string, string>
}

/** Where the buyer answers the business's questions. */
export const intake: PageKind = {
  show: (context) => taskStatusView(context, 'intake') ?? form(context, { answers: new Map(), faults: new Map() }),
  async submit(context, sent, means) {
    const given = read(context.booking.record.intake ?? [], sent)
    const isWrong = given.faults.size > 0
    const now = means.clock()
    const refused = await means.makeChange(async (tx) => {
      const booking = await lockAndExpire(tx, context.booking.id, undefined, now)
      if (!booking || !awaits(booking, 'intake')) return false
      const people = { ...booking.people, answers: Object.fromEntries(given.answers) }
      if (!isWrong) await completeTask(tx, booking, 'intake', { actor: 'buyer', people }, now)
      return isWrong
    })
    return refused ? form(context, given) : undefined
  },
}

function read(questions: Question[], sent: URLSearchParams): Given {
  const [answers, faults] = [new Map<string, string>(), new Map<string, string>()]
  for (const { id, required } of questions) {
    const answer = sent.get(id)?.trim() ?? ''
    if (answer !== '') answers.set(id, answer)
    if (required && answer === '') faults.set(id, 'Please answer this question.')
    if (answer.length > ANSWER_LENGTH) faults.set(id, `Please answer in ${ANSWER_LENGTH} characters or fewer.`)
  }
  return { answers, faults }
}

function form(context: PageContext, given: Given): View {
  const { booking, definition } = context
  const faulty = given.faults.size
  return {
    status: faulty > 0 ? 422 : 200,
    title: faulty > 0 ? 'Please look at your answers again' : 'A few questions',
    body: html`${faulty > 0 && html`<p class="note wrong" role="alert">${faulty === 1 ? 'One answer is' : `${faulty} answers are`} missing or too long.</p>`}
<p>${definition.business.name} would like to know this before your booking is confirmed. ${deadlineText(context)}</p>
${summary(context)}
<form method="post" lang="${definition.business.language ?? 'en'}">
${booking.record.intake?.map((question) => field(question, given))}
<button lang="en">Send the answers</button>
</form>
${openTasks(context, 'intake')}`,
  }
}

function field({ id, question, required = false }: Question, { answers, faults }: Given): Content {
  const fault = faults.get(id)
  const name = `question-${id}`
  return html`<label for="${name}">${question}${!required && html` <span class="hint" lang="en">(if you like)</span>`}</label>
${fault !== undefined && html`<p class="error" lang="en" id="${name}-error">${fault}</p>`}
<textarea id="${name}" name="${id}" rows="2" maxlength="${ANSWER_LENGTH}"${required && html` required`}${
    fault !== undefined && html` aria-invalid="true" aria-describedby="${name}-error"`
  }>
${answers.get(id)}</textarea>`
}
