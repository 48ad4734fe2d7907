import type { FastifyReply, FastifyRequest } from 'fastify'
import { enterByLink } from '../../accounts/enter-by-link.ts'
import { signInLinkFind } from '../../accounts/sign-in-links.ts'
import { html } from '../../basics/html.ts'
import type { Speech } from '../../languages/speech.ts'
import type { Means } from '../../protocol/means.ts'
import type { Answer, View } from '../pages/layout.ts'
import { type AskMeans, askForm } from './ask-page.ts'
import { begin } from './session.ts'

/** One button: a mail scanner that opens each link to look behind it presses none. It says whose bookings it opens. */
export async function enterPage(secret: string, speech: Speech, means: AskMeans & Means<'db'>): Promise<View> {
  const link = await signInLinkFind(means.db, secret, means.clock())
  if (!link) return overPage(speech, means)
  const { say } = speech
  return {
    status: 200,
    title: say('my.sign_in'),
    body: html`<p>${say('my.enter.text', { email: link.email })}</p>
<form method="post"><button>${say('my.enter')}</button></form>`,
  }
}

/** Lets whoever has the link in. */
export async function enter(
  secret: string,
  request: FastifyRequest,
  reply: FastifyReply,
  means: AskMeans & Means<'db' | 'makeChange'>,
): Promise<Answer> {
  const entered = await enterByLink(secret, means)
  if (!entered) return overPage(request.speech, means)
  await begin(entered.session, request, reply, means)
  return { to: entered.returnTo ?? '/my' }
}

/** The same for a secret that was used, is too old or never was one. */
const overPage = async (speech: Speech, means: AskMeans): Promise<View> => ({
  status: 404,
  title: speech.say('my.over'),
  body: html`<p>${speech.say('my.over.text')}</p>
${await askForm({}, speech, means)}`,
})
