import { applyDefinition } from '../../../domain/desk/setup/apply-definition.ts'
import { html } from '../../../infra/util/html.ts'
import { recordOf } from '../../../infra/util/record-of.ts'
import { formOf } from '../../pages/scope.ts'
import { type Asking, type DeskMeans, may } from '../desk-calls.ts'
import type { Answer } from '../desk-page.ts'
import { mayNot } from '../may-not.ts'
import { firstChosen, firstPage } from './first-page.ts'
import { overview } from './overview.ts'
import { saidSaved } from './review.ts'
import { sectionChosen, sectionPage } from './section-page.ts'
import { sectionNamed } from './sections.ts'
import { yamlChosen, yamlPage } from './yaml-page.ts'

export const SETUP_PATHS = ['/desk/setup', '/desk/setup/:section', '/desk/setup/:section/:id']

/** The page to show while no business is set up; undefined if there is one. */
export async function unlessSetUp(asking: Asking, { business }: Pick<DeskMeans, 'business'>): Promise<Answer> {
  if (await business.get()) return undefined
  if (may(asking.who, applyDefinition)) return { to: '/desk/setup' }
  const { say } = asking.request.speech
  return { status: 200, title: say('desk.title'), who: asking.who, body: html`<p>${say('setup.not_yet')}</p>` }
}

export async function setupPage(asking: Asking, means: DeskMeans): Promise<Answer> {
  const { section, id } = askedFor(asking)
  if (!may(asking.who, applyDefinition)) return mayNot(applyDefinition, asking)
  const definition = await means.business.get()
  if (section === '')
    return definition ? saidSaved(overview(definition, asking, means), asking) : firstPage(undefined, asking)
  if (!definition) return { to: '/desk/setup' }
  const known = sectionNamed(section)
  if (known) {
    const view = await sectionPage(known, id, asking, means)
    return view && saidSaved(view, asking)
  }
  return section === 'yaml' ? yamlPage(asking, means) : undefined
}

export async function setupChosen(asking: Asking, means: DeskMeans): Promise<Answer> {
  const { section, id } = askedFor(asking)
  if (!may(asking.who, applyDefinition)) return mayNot(applyDefinition, asking)
  const isThere = (await means.business.get()) !== undefined
  if (section === '') return isThere ? { to: '/desk/setup' } : firstChosen(formOf(asking.request), asking, means)
  if (!isThere) return { to: '/desk/setup' }
  const known = sectionNamed(section)
  if (known) return sectionChosen(known, id, asking, means)
  return section === 'yaml' ? yamlChosen(asking, means) : undefined
}

function askedFor({ request }: Asking): { section: string; id: string } {
  const { section = '', id = '' } = recordOf(request.params)
  return { section: String(section), id: String(id) }
}
