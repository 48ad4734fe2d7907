import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { html } from '../../infra/util/html-template.ts'
import { findStoredReply, IdempotencyKeyTakenError, storeReply } from '../../pipeline/idempotency.ts'
import { STAFF_PREFIX } from '../../protocol/caller-types.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import { hidden } from '../pages/form-inputs.ts'
import { formOf } from '../pages/page-route-setup.ts'
import type { DeskDependencies, DeskRequest } from './call-operation-as-staff.ts'
import { type DeskForm, submittedForm } from './desk-form-tokens.ts'
import type { Answer, DeskView } from './desk-page.ts'

/** The stored result of the first submission of a form: a digest of the form's content, and the URL of the redirect. */
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
 * Makes each form take effect only once. The calls get idempotency keys from the form's token. The server stores the
 * redirect of the first submission, and a second submission gets the same redirect. Refusals are not stored, so staff
 * can resubmit a refused form.
 */
export function makeSubmitOnce(dependencies: DeskDependencies): Submit {
  const running = new Map<string, Promise<unknown>>()
  return async (deskRequest, reply, work) => {
    const form = submittedForm(deskRequest, dependencies)
    if (!form) return submitAgainPage(deskRequest, 'old')
    // The server processes the submissions of one form one after the other. Therefore a second submission finds the
    // result of the first submission.
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
    // A stored answer cannot set a cookie again. Therefore the server does not store an answer that sets a cookie.
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

/**
 * Stores the redirect for later submissions of the same form. A failure is only logged, because the changes are already
 * committed.
 */
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
    // Another server process has already stored its answer to the same form. Therefore this process returns the stored
    // answer.
    if (error instanceof IdempotencyKeyTakenError) return (await findStoredAnswer(deskRequest, dependencies)) ?? answer
    dependencies.log.warn({ err: error }, 'The answer to a form of the desk was not kept.')
  }
  return answer
}

/**
 * The page that explains why the server did not process the form. The user can press one button to resubmit the fields
 * as a new form, so no entered text is lost. A password is left out, because pages never contain one.
 */
function submitAgainPage({ who, request }: DeskRequest, why: 'old' | 'sent', to = '/desk'): DeskView {
  const { say } = request.localizer
  const fields = [...formOf(request)]
    .filter(([name]) => name !== 'password')
    .map(([name, value]) => hidden({ [name]: value }))
  const link = why === 'sent' && html`<p><a class="button" href="${to}">${say('desk.form.look')}</a></p>`
  return {
    status: why === 'old' ? 422 : 409,
    title: say(`desk.form.${why}`),
    who,
    body: html`<p class="note wrong" role="alert">${say(`desk.form.${why}.text`)}</p>${link}
<form method="post" data-draft>${fields}<button${why === 'sent' && html` class="plain"`}>${say(`desk.form.${why}.do`)}</button></form>`,
  }
}
