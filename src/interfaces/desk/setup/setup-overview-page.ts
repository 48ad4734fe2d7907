import { isOpenToBrowsers } from '../../../core/business/definition-facts.ts'
import { getCompanySignIn } from '../../../domain/desk/setup/get-company-sign-in.ts'
import { getMailServer } from '../../../domain/desk/setup/get-mail-server.ts'
import { getTextProvider } from '../../../domain/desk/setup/get-text-provider.ts'
import { setCalendarApp } from '../../../domain/desk/setup/set-calendar-app.ts'
import { CALENDAR_PROVIDERS } from '../../../infra/config/calendar-providers.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { type DeskDependencies, type DeskRequest, isAllowed } from '../call-operation-as-staff.ts'
import type { DeskView } from '../desk-page.ts'
import { calendarAppPath } from './calendar-app-page.ts'
import { COMPANY_SIGN_IN_PATH } from './company-sign-in-page.ts'
import { RARE_SECTIONS, SECTIONS, type Section } from './definition-sections.ts'
import { labelOf } from './field-labels.ts'
import { MAIL_SERVER_PATH } from './mail-server-page.ts'
import { missingTranslations } from './missing-translations.ts'
import { nextSteps } from './next-steps.ts'
import { TEXT_MESSAGES_PATH } from './text-messages-page.ts'

export async function overview(
  definition: BusinessDefinition,
  deskRequest: DeskRequest,
  dependencies: DeskDependencies,
): Promise<DeskView> {
  const { who, request } = deskRequest
  const { localizer } = request
  const { config } = dependencies
  const { say } = localizer
  const url = `${config.baseUrl}/book`
  const link = (
    section: Section,
  ): Content => html`<li><a href="/desk/setup/${section}">${labelOf(section, localizer)}</a></li>
`
  return {
    status: 200,
    title: say('desk.setup'),
    who,
    place: 'setup',
    body: html`${isOpenToBrowsers(definition) && html`<p class="note"><a href="/book">${say('setup.bookable', { url })}</a></p>`}
${config.businessFile !== undefined && html`<p class="note">${say('setup.file', { file: config.businessFile })}</p>`}
${await nextSteps(definition, deskRequest, dependencies)}
<ul class="steps">${SECTIONS.map(link)}</ul>
${await missingTranslations(definition, localizer)}<h2>${say('setup.more')}</h2>
<ul class="steps">${RARE_SECTIONS.map(link)}${
      isAllowed(who, getMailServer) &&
      html`<li><a href="${MAIL_SERVER_PATH}">${say('setup.mail_server')}</a></li>
`
    }${
      isAllowed(who, getTextProvider) &&
      html`<li><a href="${TEXT_MESSAGES_PATH}">${say('setup.texts')}</a></li>
`
    }${
      isAllowed(who, setCalendarApp) &&
      CALENDAR_PROVIDERS.map(
        (provider) => html`<li><a href="${calendarAppPath(provider)}">${say(`setup.${provider}`)}</a></li>
`,
      )
    }${
      isAllowed(who, getCompanySignIn) &&
      html`<li><a href="${COMPANY_SIGN_IN_PATH}">${say('setup.company')}</a></li>
`
    }<li><a href="/desk/setup/yaml">${say('setup.yaml')}</a></li></ul>`,
  }
}
