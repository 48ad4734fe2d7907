import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { html } from '../../infra/util/html.ts'
import { KeyTaken, keepReply, keptReply } from '../../pipeline/idempotency.ts'
import { STAFF } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { hidden } from '../pages/inputs.ts'
import { formOf } from '../pages/scope.ts'
import type { Asking, DeskMeans } from './desk-calls.ts'
import { type DeskForm, submittedForm } from './desk-form.ts'
import type { Answer, DeskView } from './desk-page.ts'

/** Stored with the first submission: the digest of its content, and the address it redirected to. */
interface Kept {
  content: string
  to: string
}

export type Submit = (asking: Asking, reply: FastifyReply, work: (asking: Asking) => Promise<Answer>) => Promise<Answer>

/**
 * Makes each form take effect once. Its calls use idempotency keys derived from the form's token. The server stores the
 * redirect address, and a second submission redirects there again. Refusals are not stored: the same form can be submitted
 * again later.
 */
export function submittingOnce(means: DeskMeans): Submit {
  const running = new Map<string, Promise<unknown>>()
  return async (asking, reply, work) => {
    const form = submittedForm(asking, means)
    if (!form) return submitAgainPage(asking, 'old')
    // Process one submission of a form at a time. The second one then finds the stored result of the first.
    const key = `${asking.who.id} ${form.key}`
    while (running.has(key)) await running.get(key)
    const submitting = submit({ ...asking, form }, reply, work, means)
    const ended = submitting.then(
      () => running.delete(key),
      () => running.delete(key),
    )
    running.set(key, ended)
    return submitting
  }
}

async function submit(
  asking: Asking & { form: DeskForm },
  reply: FastifyReply,
  work: (asking: Asking) => Promise<Answer>,
  means: DeskMeans,
): Promise<Answer> {
  try {
    const before = await keptAnswer(asking, means)
    if (before?.content === asking.form.content) return { to: before.to }
    if (before) return submitAgainPage(asking, 'sent', before.to)
    const answer = await work(asking)
    // A replay cannot set the cookie again, so this answer is not stored.
    if (!answer || !('to' in answer) || reply.hasHeader('set-cookie')) return answer
    return await keepAnswer(answer, asking, means)
  } catch (error) {
    const isSent = error instanceof ProtocolError && error.code === 'idempotency_conflict'
    if (!isSent) throw error
    return submitAgainPage(asking, 'sent')
  }
}

const keyOf = ({ who, form }: Asking & { form: DeskForm }, { replyKey, clock }: DeskMeans) => ({
  asked: { principal: `${STAFF}${who.id}`, publisher: null, fingerprint: hash('sha256', form.key, 'buffer') },
  keeping: { key: `${form.key} answer`, boxKey: replyKey, now: clock() },
})

async function keptAnswer(asking: Asking & { form: DeskForm }, means: DeskMeans): Promise<Kept | undefined> {
  const { asked, keeping } = keyOf(asking, means)
  const kept = await keptReply(means.db, asked, keeping)
  return kept && JSON.parse(kept.text)
}

/** The work is already committed, so a failure to store the answer is only logged. */
async function keepAnswer(
  answer: { to: string },
  asking: Asking & { form: DeskForm },
  means: DeskMeans,
): Promise<{ to: string }> {
  const { asked, keeping } = keyOf(asking, means)
  const text = JSON.stringify({ content: asking.form.content, to: answer.to } satisfies Kept)
  try {
    const reply = { status: 303, text, summary: '', people: [] }
    await means.makeChange(async (tx) => keepReply(tx, asked, reply, keeping))
  } catch (error) {
    // Another server stored the answer to the same submission first.
    if (error instanceof KeyTaken) return (await keptAnswer(asking, means)) ?? answer
    means.log.warn({ err: error }, 'The answer to a form of the desk was not kept.')
  }
  return answer
}

/** Explains the problem. One press submits the same fields as a new form, so the typed text is not lost. */
function submitAgainPage({ who, request }: Asking, why: 'old' | 'sent', to = '/desk'): DeskView {
  const { say } = request.speech
  const fields = [...formOf(request)].map(([name, value]) => hidden({ [name]: value }))
  const look = why === 'sent' && html`<p><a class="button" href="${to}">${say('desk.form.look')}</a></p>`
  return {
    ...{ status: why === 'old' ? 422 : 409, title: say(`desk.form.${why}`), who },
    body: html`<p class="note wrong" role="alert">${say(`desk.form.${why}.text`)}</p>${look}
<form method="post" data-draft>${fields}<button${why === 'sent' && html` class="plain"`}>${say(`desk.form.${why}.do`)}</button></form>`,
  }
}
