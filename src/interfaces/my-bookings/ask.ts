import type { FastifyRequest } from 'fastify'
import { canMail } from '../../core/mails/channels.ts'
import { requestSignInLink } from '../../domain/accounts/ask-for-link.ts'
import type { Dependencies } from '../../protocol/means.ts'
import type { View } from '../pages/layout.ts'
import { requestLink } from '../pages/link-asked.ts'
import { formOf } from '../pages/scope.ts'
import { type SignInLinkDependencies, signInLinkPage, sentPage } from './ask-page.ts'
import { returnTo } from './return-to.ts'

export async function sendSignInLink(
  request: FastifyRequest,
  means: SignInLinkDependencies & Dependencies<'db' | 'limits' | 'makeChange' | 'strangerLimitMet' | 'tag'>,
): Promise<View> {
  const { speech } = request
  const back = await returnTo(formOf(request).get('back'), means)
  if (!canMail(means.config)) return signInLinkPage({ returnTo: back }, speech, means)
  const asked = await requestLink(request, means, (one) => requestSignInLink(one, back, means))
  return asked.fault === undefined ? sentPage(speech, back) : signInLinkPage({ ...asked, returnTo: back }, speech, means)
}
