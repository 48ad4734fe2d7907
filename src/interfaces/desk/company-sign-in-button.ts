import type { FastifyRequest } from 'fastify'
import { storedCompanySignIn } from '../../core/business/company-sign-in-queries.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Dependencies } from '../../protocol/dependency-types.ts'

export const COMPANY_START_PATH = '/desk/company-sign-in'

/** The button that leads to the provider of the company. Undefined if the company sign-in is not set up and tested. */
export async function companySignInButton(
  { localizer }: Pick<FastifyRequest, 'localizer'>,
  { db }: Dependencies<'db'>,
): Promise<Content> {
  const settings = await storedCompanySignIn(db)
  if (!settings?.tested_at) return undefined
  return html`<p><a class="button" href="${COMPANY_START_PATH}">${localizer.say('desk.company.enter', { provider: settings.name })}</a></p>`
}
