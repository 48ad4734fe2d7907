import { applyDefinition } from '../../../domain/desk/setup/apply-definition.ts'
import { getCompanySignIn } from '../../../domain/desk/setup/get-company-sign-in.ts'
import { getMailServer } from '../../../domain/desk/setup/get-mail-server.ts'
import { getTextProvider } from '../../../domain/desk/setup/get-text-provider.ts'
import { setCalendarApp } from '../../../domain/desk/setup/set-calendar-app.ts'
import { CALENDAR_PROVIDERS } from '../../../infra/config/calendar-providers.ts'
import { html } from '../../../infra/util/html-template.ts'
import { asRecord } from '../../../infra/util/object-members.ts'
import { formOf } from '../../pages/page-route-setup.ts'
import { type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from '../call-operation-as-staff.ts'
import type { Answer, DeskView } from '../desk-page.ts'
import { calendarAppPage, calendarAppSection, changeCalendarApp } from './calendar-app-page.ts'
import { changeCompanySignIn } from './change-company-sign-in.ts'
import { changeMailServer } from './change-mail-server.ts'
import { changeTextMessages } from './change-text-messages.ts'
import { COMPANY_SIGN_IN_SECTION, companySignInPage } from './company-sign-in-page.ts'
import { sectionPage, submitSection } from './definition-section-page.ts'
import { sectionNamed } from './definition-sections.ts'
import { MAIL_SERVER_SECTION, mailServerPage } from './mail-server-page.ts'
import { withSavedNote } from './review-change-page.ts'
import { overview } from './setup-overview-page.ts'
import { setupQuestionsPage, submitSetupAnswers } from './setup-questions-page.ts'
import { TEXT_MESSAGES_SECTION, textMessagesPage } from './text-messages-page.ts'
import { submitYaml, yamlPage } from './yaml-page.ts'

export const SETUP_PATHS = ['/desk/setup', '/desk/setup/:section', '/desk/setup/:section/:id']

/** A page for settings that are not in the business definition, because they contain secrets. */
interface SettingsPage {
  /** A staff member sees and changes the page if their role allows this operation. */
  permission: Parameters<typeof isAllowed>[1]
  page(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<DeskView>
  change(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer>
}

const settingsPages: ReadonlyMap<string, SettingsPage> = new Map([
  [MAIL_SERVER_SECTION, { permission: getMailServer, page: mailServerPage, change: changeMailServer }],
  [TEXT_MESSAGES_SECTION, { permission: getTextProvider, page: textMessagesPage, change: changeTextMessages }],
  ...CALENDAR_PROVIDERS.map((provider): [string, SettingsPage] => [
    calendarAppSection(provider),
    {
      permission: setCalendarApp,
      page: (deskRequest, dependencies) => calendarAppPage(provider, deskRequest, dependencies),
      change: (deskRequest, dependencies) => changeCalendarApp(provider, deskRequest, dependencies),
    },
  ]),
  [COMPANY_SIGN_IN_SECTION, { permission: getCompanySignIn, page: companySignInPage, change: changeCompanySignIn }],
])

/**
 * Returns a redirect to the setup if no business definition exists. If the staff member's role does not allow the
 * setup, returns a note instead. Returns undefined if a business definition exists.
 */
export async function setupHint(
  deskRequest: DeskRequest,
  { business }: Pick<DeskDependencies, 'business'>,
): Promise<Answer> {
  if (await business.get()) return undefined
  if (isAllowed(deskRequest.who, applyDefinition)) return { to: '/desk/setup' }
  const { say } = deskRequest.request.localizer
  return { status: 200, title: say('desk.title'), who: deskRequest.who, body: html`<p>${say('setup.not_yet')}</p>` }
}

export async function setupPage(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const { section, id } = sectionInUrl(deskRequest)
  if (!isAllowed(deskRequest.who, applyDefinition)) return missingRolePage(applyDefinition, deskRequest)
  const definition = await dependencies.business.get()
  if (section === '')
    return definition
      ? withSavedNote(await overview(definition, deskRequest, dependencies), deskRequest)
      : setupQuestionsPage(undefined, deskRequest)
  if (!definition) return { to: '/desk/setup' }
  const namedSection = sectionNamed(section)
  if (namedSection) {
    const view = await sectionPage(namedSection, id, deskRequest, dependencies)
    return view && withSavedNote(view, deskRequest)
  }
  const settings = settingsPages.get(section)
  if (settings)
    return isAllowed(deskRequest.who, settings.permission)
      ? withSavedNote(await settings.page(deskRequest, dependencies), deskRequest)
      : missingRolePage(settings.permission, deskRequest)
  return section === 'yaml' ? yamlPage(deskRequest, dependencies) : undefined
}

export async function submitSetup(deskRequest: DeskRequest, dependencies: DeskDependencies): Promise<Answer> {
  const { section, id } = sectionInUrl(deskRequest)
  if (!isAllowed(deskRequest.who, applyDefinition)) return missingRolePage(applyDefinition, deskRequest)
  const isThere = (await dependencies.business.get()) !== undefined
  if (section === '')
    return isThere ? { to: '/desk/setup' } : submitSetupAnswers(formOf(deskRequest.request), deskRequest, dependencies)
  if (!isThere) return { to: '/desk/setup' }
  const namedSection = sectionNamed(section)
  if (namedSection) return submitSection(namedSection, id, deskRequest, dependencies)
  const settings = settingsPages.get(section)
  if (settings)
    return isAllowed(deskRequest.who, settings.permission)
      ? settings.change(deskRequest, dependencies)
      : missingRolePage(settings.permission, deskRequest)
  return section === 'yaml' ? submitYaml(deskRequest, dependencies) : undefined
}

function sectionInUrl({ request }: DeskRequest): { section: string; id: string } {
  const { section = '', id = '' } = asRecord(request.params)
  return { section: String(section), id: String(id) }
}
