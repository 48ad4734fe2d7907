import { planOf } from '../../../domain/availability/service-scheduling-plan.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { lengthText, priceText } from '../../booking-flow/service-description-texts.ts'
import { facts } from '../../pages/name-value-list.ts'
import { labelOf } from './field-labels.ts'

/**
 * Describes the duration, the price, and the required people and rooms of a new service. For a class, the text contains
 * only the price.
 */
export async function serviceFacts(
  definition: BusinessDefinition,
  id: string,
  localizer: Localizer,
  now: Date,
): Promise<Content> {
  const plan = planOf(definition, id)
  if (!plan) return undefined
  const isClass = plan.service.type === 'group'
  const length = lengthText(localizer, plan) ?? labelOf('undetermined', localizer)
  const price = await priceText(localizer, plan, { now })
  const required = (plan.service.resources ?? []).length === 0 ? [] : plan.requirements
  const people = required.map(
    ({ candidates }) => html`<bdi>${candidates.map(({ name }) => name).join(' / ')}</bdi><br>`,
  )
  return facts(
    [
      [labelOf('duration', localizer), !isClass && length],
      [labelOf('pricing', localizer), price],
      [
        labelOf('resources', localizer),
        !isClass && (people.length > 0 ? html`${people}` : localizer.say('setup.change.nothing')),
      ],
    ],
    localizer,
  )
}
