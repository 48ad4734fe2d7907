import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { localTexts } from '../../domain/catalog/localized-texts.ts'
import { englishLocalizer, type Localizer } from '../../infra/i18n/localizer.ts'
import { shownPlan } from '../booking-flow/listed-services.ts'
import { lengthText, placeText, priceText, priceTexts } from '../booking-flow/service-description-texts.ts'
import { choosableResources, partySizes } from '../booking-flow/visitor-choices.ts'
import { idAndName, lines, quoted, shortened } from './quote-untrusted-text.ts'
import { type ToolContext, ToolError } from './tool-definition.ts'

const LONGEST_DESCRIPTION = 160
/** The maximum number of people, rooms and items that the description of one service lists. */
const MOST_PEOPLE = 12

/**
 * Returns the plan (hours, people and rooms) of the service with the given id. Throws an error if the booking pages do
 * not show a service with this id.
 */
export function serviceOf({ definition }: Pick<ToolContext, 'definition'>, id: string): Plan {
  const plan = shownPlan(definition, id)
  if (!plan)
    throw new ToolError(`There is no service with the id ${JSON.stringify(id)}. Call find_services for the list.`)
  return plan
}

export async function serviceData(plan: Plan, now: Date, longest = LONGEST_DESCRIPTION) {
  const localizer = englishLocalizer()
  const { name, description } = localTexts(plan.service, '')
  const sizes = partySizes(plan)
  const people = choosableResources(plan)
  return {
    service_id: plan.service.id,
    their_words: {
      name: shortened(name, 100),
      ...(description !== undefined && { description: shortened(description, longest) }),
    },
    price: await priceText(localizer, plan, { now }),
    length: lengthText(localizer, plan),
    place: placeText(localizer, plan),
    ...(plan.locations.length > 1 && { location_ids: plan.locations }),
    ...(people.length > 0 && {
      with: people.slice(0, MOST_PEOPLE).map(idAndName),
    }),
    ...(sizes.length > 1 && { party_size: { least: sizes[0], most: sizes.at(-1) } }),
  }
}

/**
 * Returns a function that describes the price, duration and place of services in a given language. The result contains
 * no texts of the business, because the server does not translate those texts.
 */
export async function serviceWords(plans: readonly Plan[], now: Date) {
  const prices = await Promise.all(plans.map((plan) => priceTexts(plan, { now })))
  return (localizer: Localizer) =>
    plans.flatMap((plan, index) => [
      prices[index]?.(localizer) ?? '',
      lengthText(localizer, plan) ?? '',
      placeText(localizer, plan) ?? '',
    ])
}

type ServiceData = Awaited<ReturnType<typeof serviceData>>

export function serviceText(data: ServiceData): string {
  const { service_id, their_words, price, length, place, location_ids, party_size } = data
  const facts = [
    price,
    length,
    place && quoted(place),
    location_ids && `location_id ${location_ids.join(' or ')}`,
    party_size && `for ${party_size.least} to ${party_size.most} people (party_size)`,
    data.with && `with a choice of ${data.with.map(({ id, name }) => `${id} ${quoted(name)}`).join(', ')}`,
  ]
  return lines(
    `- ${service_id} ${quoted(their_words.name)}: ${facts.filter(Boolean).join('; ')}`,
    their_words.description !== undefined && `  ${quoted(their_words.description, Number.MAX_SAFE_INTEGER)}`,
  )
}
