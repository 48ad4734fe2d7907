import type { FastifyRequest } from 'fastify'
import { canMail } from '../../core/mails/channels.ts'
import { askForLink } from '../../domain/accounts/ask-for-link.ts'
import type { Means } from '../../protocol/means.ts'
import type { View } from '../pages/layout.ts'
import { linkAsked } from '../pages/link-asked.ts'
import { formOf } from '../pages/scope.ts'
import { type AskMeans, askPage, sentPage } from './ask-page.ts'
import { returnTo } from './return-to.ts'

export async function ask(
  request: FastifyRequest,
  means: AskMeans & Means<'db' | 'limits' | 'makeChange' | 'strangerLimitMet' | 'tag'>,
): Promise<View> {
  const { speech } = request
  const back = await returnTo(formOf(request).get('back'), means)
  if (!canMail(means.config)) return askPage({ returnTo: back }, speech, means)
  const asked = await linkAsked(request, means, (one) => askForLink(one, back, means))
  return asked.fault === undefined ? sentPage(speech, back) : askPage({ ...asked, returnTo: back }, speech, means)
}
