import { applyDefinition } from '../../../domain/desk/setup/apply-definition.ts'
import { html } from '../../../infra/util/html.ts'
import { asRecord } from '../../../infra/util/records.ts'
import { formOf } from '../../pages/scope.ts'
import { type DeskDependencies, type DeskRequest, isAllowed, missingRolePage } from '../desk-calls.ts'
import type { Answer } from '../desk-page.ts'
import { overview } from './overview.ts'
import { withSavedNote } from './review.ts'
import { sectionPage, submitSection } from './section-page.ts'
import { sectionNamed } from './sections.ts'
import { setupQuestionsPage, submitSetupAnswers } from './setup-questions-page.ts'
import { submitYaml, yamlPage } from './yaml-page.ts'

export const SETUP_PATHS = ['/desk/setup', '/desk/setup/:section', '/desk/setup/:section/:id']

/** The page to show while no business is set up; undefined if there is one. */
export async function setupHint(
  asking: DeskRequest,
  { business }: Pick<DeskDependencies, 'business'>,
): Promise<Answer> {
  if (await business.get()) return undefined
  if (isAllowed(asking.who, applyDefinition)) return { to: '/desk/setup' }
  const { say } = asking.request.speech
  return { status: 200, title: say('desk.title'), who: asking.who, body: html`<p>${say('setup.not_yet')}</p>` }
}

export async function setupPage(asking: DeskRequest, means: DeskDependencies): Promise<Answer> {
  const { section, id } = askedFor(asking)
  if (!isAllowed(asking.who, applyDefinition)) return missingRolePage(applyDefinition, asking)
  const definition = await means.business.get()
  if (section === '')
    return definition
      ? withSavedNote(overview(definition, asking, means), asking)
      : setupQuestionsPage(undefined, asking)
  if (!definition) return { to: '/desk/setup' }
  const known = sectionNamed(section)
  if (known) {
    const view = await sectionPage(known, id, asking, means)
    return view && withSavedNote(view, asking)
  }
  return section === 'yaml' ? yamlPage(asking, means) : undefined
}

export async function submitSetup(asking: DeskRequest, means: DeskDependencies): Promise<Answer> {
  const { section, id } = askedFor(asking)
  if (!isAllowed(asking.who, applyDefinition)) return missingRolePage(applyDefinition, asking)
  const isThere = (await means.business.get()) !== undefined
  if (section === '') return isThere ? { to: '/desk/setup' } : submitSetupAnswers(formOf(asking.request), asking, means)
  if (!isThere) return { to: '/desk/setup' }
  const known = sectionNamed(section)
  if (known) return submitSection(known, id, asking, means)
  return section === 'yaml' ? submitYaml(asking, means) : undefined
}

function askedFor({ request }: DeskRequest): { section: string; id: string } {
  const { section = '', id = '' } = asRecord(request.params)
  return { section: String(section), id: String(id) }
}
