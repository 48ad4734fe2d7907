import { setTimeout as pass } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import { countSignInAttempt } from '../../domain/accounts/count-sign-in-attempt.ts'
import type { SignInLinkRequest } from '../../domain/accounts/mail-sign-in-link.ts'
import type { Message } from '../../infra/i18n/localizer.ts'
import { readEmail } from '../../infra/util/email-address.ts'
import { visitorAt } from '../../pipeline/page-visitor.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'
import { isOurForm } from './form-token.ts'
import { formOf } from './page-route-setup.ts'

/**
 * The delay in milliseconds before each answer to a request for a mailed link. Writing a mail takes less time, so the
 * response time does not reveal whether the server wrote a mail.
 */
const ANSWERED_AFTER_MS = 300

export interface SubmittedAddress {
  email: string
  fault?: Message
}

/**
 * Mails a link to the submitted email address. The answer to a valid form does not reveal whether the server knows the
 * address.
 */
export async function requestLink(
  request: FastifyRequest,
  dependencies: Dependencies<'cursors' | 'clock' | 'db' | 'limits' | 'strangerLimitMet' | 'business'>,
  mail: (linkRequest: SignInLinkRequest) => Promise<void>,
): Promise<SubmittedAddress> {
  const { localizer, ip } = request
  const form = formOf(request)
  const enteredEmail = form.get('email') ?? ''
  const email = readEmail(enteredEmail)
  if (email === undefined) return { email: enteredEmail, fault: 'my.fault.email' }
  if (!isOurForm(form, dependencies)) return { email, fault: 'my.once_more' }
  await countSignInAttempt(dependencies, email, ip)
  const visitor = await visitorAt(ip, dependencies)
  await Promise.all([mail({ email, locale: localizer.locale, visitor }), pass(ANSWERED_AFTER_MS)])
  return { email }
}
