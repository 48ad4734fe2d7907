import { planOf } from '../../../domain/availability/plan.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { type Content, html } from '../../../infra/util/html.ts'
import type { BusinessDefinition } from '../../../protocol/types.generated.ts'
import { lengthText, priceText } from '../../booking-flow/texts.ts'
import { facts } from '../../pages/facts.ts'
import { labelOf } from './labels.ts'

/** Duration, price and required resources of a new service. A class has sessions instead of duration and resources. */
export async function serviceFacts(
  definition: BusinessDefinition,
  id: string,
  speech: Localizer,
  now: Date,
): Promise<Content> {
  const plan = planOf(definition, id)
  if (!plan) return undefined
  const isClass = plan.service.type === 'group'
  const length = lengthText(speech, plan) ?? labelOf('undetermined', speech)
  const price = await priceText(speech, plan, { now })
  const required = (plan.service.resources ?? []).length === 0 ? [] : plan.requirements
  const people = required.map(
    ({ candidates }) => html`<bdi>${candidates.map(({ name }) => name).join(' / ')}</bdi><br>`,
  )
  return facts(
    [
      [labelOf('duration', speech), !isClass && length],
      [labelOf('pricing', speech), price],
      [
        labelOf('resources', speech),
        !isClass && (people.length > 0 ? html`${people}` : speech.say('setup.change.nothing')),
      ],
    ],
    speech,
  )
}
