import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { html } from '../../infra/util/html.ts'
import { findStoredReply, IdempotencyKeyTakenError, storeReply } from '../../pipeline/idempotency.ts'
import { STAFF_PREFIX } from '../../protocol/caller.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { hidden } from '../pages/inputs.ts'
import { formOf } from '../pages/scope.ts'
import type { DeskDependencies, DeskRequest } from './desk-calls.ts'
import { type DeskForm, submittedForm } from './desk-form.ts'
import type { Answer, DeskView } from './desk-page.ts'

/** Stored with the first submission: the digest of its content, and the address it redirected to. */
interface StoredSubmission {
  content: string
  to: string
}

export type Submit = (
  deskRequest: DeskRequest,
  reply: FastifyReply,
  work: (deskRequest: DeskRequest) => Promise<Answer>,
) => Promise<Answer>

/**
 * Makes each form take effect once. Its calls use idempotency keys derived from the form's token. The server stores the
 * redirect address, and a second submission redirects there again. Refusals are not stored: the same form can be submitted
 * again later.
 */
export function makeSubmitOnce(dependencies: DeskDependencies): Submit {
  const running = new Map<string, Promise<unknown>>()
  return async (deskRequest, reply, work) => {
    const form = submittedForm(deskRequest, dependencies)
    if (!form) return submitAgainPage(deskRequest, 'old')
    // Process one submission of a form at a time. The second one then finds the stored result of the first.
    const key = `${deskRequest.who.id} ${form.key}`
    while (running.has(key)) await running.get(key)
    const submitting = submit({ ...deskRequest, form }, reply, work, dependencies)
    const ended = submitting.then(
      () => running.delete(key),
      () => running.delete(key),
    )
    running.set(key, ended)
    return submitting
  }
}

async function submit(
  deskRequest: DeskRequest & { form: DeskForm },
  reply: FastifyReply,
  work: (deskRequest: DeskRequest) => Promise<Answer>,
  dependencies: DeskDependencies,
): Promise<Answer> {
  try {
    const before = await findStoredAnswer(deskRequest, dependencies)
    if (before?.content === deskRequest.form.content) return { to: before.to }
    if (before) return submitAgainPage(deskRequest, 'sent', before.to)
    const answer = await work(deskRequest)
    // A replay cannot set the cookie again, so this answer is not stored.
    if (!answer || !('to' in answer) || reply.hasHeader('set-cookie')) return answer
    return await storeAnswer(answer, deskRequest, dependencies)
  } catch (error) {
    const isSent = error instanceof ProtocolError && error.code === 'idempotency_conflict'
    if (!isSent) throw error
    return submitAgainPage(deskRequest, 'sent')
  }
}

const keyOf = ({ who, form }: DeskRequest & { form: DeskForm }, { replyKey, clock }: DeskDependencies) => ({
  identity: { principal: `${STAFF_PREFIX}${who.id}`, publisher: null, fingerprint: hash('sha256', form.key, 'buffer') },
  keeping: { key: `${form.key} answer`, boxKey: replyKey, now: clock() },
})

async function findStoredAnswer(
  deskRequest: DeskRequest & { form: DeskForm },
  dependencies: DeskDependencies,
): Promise<StoredSubmission | undefined> {
  const { identity, keeping } = keyOf(deskRequest, dependencies)
  const stored = await findStoredReply(dependencies.db, identity, keeping)
  return stored && JSON.parse(stored.text)
}

/** The work is already committed, so a failure to store the answer is only logged. */
async function storeAnswer(
  answer: { to: string },
  deskRequest: DeskRequest & { form: DeskForm },
  dependencies: DeskDependencies,
): Promise<{ to: string }> {
  const { identity, keeping } = keyOf(deskRequest, dependencies)
  const text = JSON.stringify({ content: deskRequest.form.content, to: answer.to } satisfies StoredSubmission)
  try {
    const reply = { status: 303, text, summary: '', people: [] }
    await dependencies.makeChange(async (tx) => storeReply(tx, identity, reply, keeping))
  } catch (error) {
    // Another server stored the answer to the same submission first.
    if (error instanceof IdempotencyKeyTakenError) return (await findStoredAnswer(deskRequest, dependencies)) ?? answer
    dependencies.log.warn({ err: error }, 'The answer to a form of the desk was not kept.')
  }
  return answer
}

/** Explains the problem. One press submits the same fields as a new form, so the typed text is not lost. */
function submitAgainPage({ who, request }: DeskRequest, why: 'old' | 'sent', to = '/desk'): DeskView {
  const { say } = request.localizer
  const fields = [...formOf(request)].map(([name, value]) => hidden({ [name]: value }))
  const link = why === 'sent' && html`<p><a class="button" href="${to}">${say('desk.form.look')}</a></p>`
  return {
    status: why === 'old' ? 422 : 409,
    title: say(`desk.form.${why}`),
    who,
    body: html`<p class="note wrong" role="alert">${say(`desk.form.${why}.text`)}</p>${link}
<form method="post" data-draft>${fields}<button${why === 'sent' && html` class="plain"`}>${say(`desk.form.${why}.do`)}</button></form>`,
  }
}
