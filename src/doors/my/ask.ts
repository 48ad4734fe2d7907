import { setTimeout as pass } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { askForLink } from '../../accounts/ask-for-link.ts'
import { sameEmail } from '../../accounts/buyer-accounts.ts'
import { countSignInAttempt } from '../../accounts/count-sign-in-attempt.ts'
import { isEmail } from '../../basics/email-address.ts'
import { canMail } from '../../mails/channels.ts'
import { visitorAt } from '../../pipeline/visitor.ts'
import type { Means } from '../../protocol/means.ts'
import { isOurForm } from '../pages/form-token.ts'
import type { View } from '../pages/layout.ts'
import { formOf } from '../pages/scope.ts'
import { type AskMeans, askPage, sentPage } from './ask-page.ts'
import { returnTo } from './return-to.ts'

/** Longer than it takes to write the mail, so that nobody can tell by the clock whether one was written. */
export const ANSWERED_AFTER_MS = 300

export async function ask(
  request: FastifyRequest,
  means: AskMeans & Means<'db' | 'limits' | 'makeChange' | 'strangerLimitMet' | 'tag'>,
): Promise<View> {
  const { speech, ip } = request
  const form = formOf(request)
  const back = await returnTo(form.get('back'), means)
  if (!canMail(means.config)) return askPage({ returnTo: back }, speech, means)
  const email = sameEmail(form.get('email') ?? '')
  if (!isEmail(email)) return askPage({ fault: 'my.fault.email', returnTo: back, email }, speech, means)
  if (!isOurForm(form, means)) return askPage({ fault: 'my.once_more', returnTo: back, email }, speech, means)
  await countSignInAttempt(means, email, ip)
  const visitor = await visitorAt(ip, means)
  const asked = askForLink({ email, locale: speech.locale, returnTo: back, visitor }, means)
  await Promise.all([asked, pass(ANSWERED_AFTER_MS)])
  return sentPage(speech, back)
}
