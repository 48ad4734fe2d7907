import type { FastifyRequest } from 'fastify'
import { canMail } from '../../core/mails/outbox.ts'
import { requestSignInLink } from '../../domain/accounts/request-sign-in-link.ts'
import type { Dependencies } from '../../protocol/dependencies.ts'
import type { View } from '../pages/layout.ts'
import { requestLink } from '../pages/request-link.ts'
import { formOf } from '../pages/scope.ts'
import { returnTo } from './return-to.ts'
import { type SignInLinkDependencies, sentPage, signInLinkPage } from './sign-in-link-page.ts'

export async function sendSignInLink(
  request: FastifyRequest,
  means: SignInLinkDependencies & Dependencies<'db' | 'limits' | 'makeChange' | 'strangerLimitMet' | 'tag'>,
): Promise<View> {
  const { speech } = request
  const back = await returnTo(formOf(request).get('back'), means)
  if (!canMail(means.config)) return signInLinkPage({ returnTo: back }, speech, means)
  const asked = await requestLink(request, means, (one) => requestSignInLink(one, back, means))
  return asked.fault === undefined
    ? sentPage(speech, back)
    : signInLinkPage({ ...asked, returnTo: back }, speech, means)
}
