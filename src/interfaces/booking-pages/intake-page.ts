import type { BookingRecord } from '../../domain/bookings/booking-row.ts'
import { awaits } from '../../domain/bookings/buyer-tasks.ts'
import { completeTask } from '../../domain/bookings/complete-buyer-task.ts'
import { lockAndExpire } from '../../domain/bookings/lock-and-save-booking.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { plainText } from '../../infra/util/plain-text.ts'
import { type FaultyField, faultOfField, faultSummary } from '../pages/form-error-summary.ts'
import type { View } from '../pages/page-layout.ts'
import { shortSummary } from './booking-summary.ts'
import { taskStatusView } from './closed-task-page.ts'
import { deadlineText, nextTask, openTasks } from './list-open-tasks.ts'
import type { PageContext, PageKind } from './load-booking-page-context.ts'

const ANSWER_LENGTH = 2000

type Question = NonNullable<BookingRecord['intake']>[number]
/** The buyer's answers in the intake form, and the errors in these answers. The keys are the ids of the questions. */
export interface Given {
  answers: ReadonlyMap<string, string>
  faults: ReadonlyMap<string, string>
}

export const intake: PageKind = {
  show: (context) => taskStatusView(context, 'intake') ?? form(context, { answers: new Map(), faults: new Map() }),
  async submit(context, sent, dependencies) {
    const answers = readAnswers(context.booking.record.intake ?? [], sent, context.localizer)
    const isWrong = answers.faults.size > 0
    const now = dependencies.clock()
    const done = await dependencies.makeChange(async (tx) => {
      const booking = await lockAndExpire(tx, context.booking.id, undefined, now)
      if (!booking || !awaits(booking, 'intake')) return booking
      if (isWrong) return 'refused'
      const people = { ...booking.people, answers: Object.fromEntries(answers.answers) }
      return completeTask(tx, booking, { task: 'intake', actor: 'buyer', people }, now)
    })
    return done === 'refused' ? form(context, answers) : nextTask(done, context)
  },
}

export function readAnswers(questions: Question[], sent: URLSearchParams, { say }: Localizer): Given {
  const [answers, faults] = [new Map<string, string>(), new Map<string, string>()]
  for (const { id, required } of questions) {
    const answer = plainText(sent.get(id) ?? '').trim()
    if (answer !== '') answers.set(id, answer)
    if (required && answer === '') faults.set(id, say('booking.intake.missing'))
    if (answer.length > ANSWER_LENGTH) faults.set(id, say('booking.intake.too_long', { most: ANSWER_LENGTH }))
  }
  return { answers, faults }
}

function form(context: PageContext, answers: Given): View {
  const { booking, definition, localizer } = context
  const { say } = localizer
  const faulty = answers.faults.size
  return {
    status: faulty > 0 ? 422 : 200,
    title: say(faulty > 0 ? 'booking.intake.again' : 'booking.intake'),
    body: html`${faulty > 0 && faultSummary(say('booking.intake.faults', { count: faulty }), faultyQuestions(context, answers))}
${shortSummary(context)}
<p>${say('booking.intake.text', { business: definition.business.name })} ${deadlineText(context)}</p>
<form method="post">
${booking.record.intake?.map((question) => questionField(question, answers, context))}
<button>${say('booking.intake.send')}</button>
</form>
${openTasks(context, 'intake')}`,
  }
}

const faultyQuestions = ({ booking: { record }, definition }: PageContext, { faults }: Given): FaultyField[] =>
  (record.intake ?? []).flatMap(({ id, question }) => {
    const fault = faults.get(id)
    return fault === undefined
      ? []
      : [{ id: idOf(id), label: question, lang: definition.business.language ?? 'en', fault }]
  })

const idOf = (question: string) => `question-${question}`

export function questionField(
  { id, question, required = false }: Question,
  { answers, faults }: Given,
  { definition, localizer: { say } }: Pick<PageContext, 'definition' | 'localizer'>,
): Content {
  const name = idOf(id)
  const { error, mark } = faultOfField(name, faults.get(id))
  return html`<label for="${name}"><span dir="auto" lang="${definition.business.language ?? 'en'}">${question}</span>${!required && html` <span class="hint">${say('booking.optional')}</span>`}</label>
${error}
<textarea id="${name}" name="${id}" rows="2" maxlength="${ANSWER_LENGTH}"${required && html` required`}${mark}>
${answers.get(id)}</textarea>`
}
