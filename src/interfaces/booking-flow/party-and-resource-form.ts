import { selectableDurations } from '../../domain/availability/service-durations.ts'
import type { Plan } from '../../domain/availability/service-scheduling-plan.ts'
import { pickText } from '../../domain/catalog/localized-texts.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { MINUTE } from '../../infra/time/time-units.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import { chooser, hidden } from '../pages/form-inputs.ts'
import { type Choice, choosableResources, partySizes } from './visitor-choices.ts'

/**
 * The form for the party size, the duration, the location, and the people or rooms. The form has no field for a choice
 * with only one option.
 */
export function choosers(plan: Plan, choice: Choice, localizer: Localizer): Content {
  const { say } = localizer
  const sizes = partySizes(plan)
  const lengths = selectableDurations(plan)
  const fields = [
    sizes.length > 1 &&
      chooser({
        name: 'party',
        label: say('book.party'),
        options: sizes.map((size) => [String(size), say('booking.people', { count: size })]),
        chosen: [String(choice.party)],
      }),
    lengths.length > 0 &&
      chooser({
        name: 'length',
        label: say('book.length'),
        options: lengths.map((one) => [String(one / MINUTE), localizer.length(one)]),
        chosen: [String(choice.length / MINUTE)],
      }),
    plan.locations.length > 1 &&
      chooser({ name: 'place', label: say('book.place'), options: places(plan), chosen: [choice.location ?? ''] }),
    ...personChoosers(plan, choice, localizer),
  ].filter((field) => field !== false)
  if (fields.length === 0) return undefined
  return html`<form class="choose" data-swap action="/book/${plan.service.id}#pick">
<div class="two">${fields}</div>
${hidden({ day: choice.day, from: choice.day === undefined ? choice.from : undefined, change: choice.currentHold?.hold, visit: choice.currentHold?.visit })}
<button class="plain" data-needless>${say('book.show_times')}</button>
</form>`
}

export const personChoosers = (plan: Plan, choice: Choice, { say, locale }: Localizer): Content[] =>
  selectable(plan).map(({ label, candidates }, index) =>
    chooser({
      id: `with-${index}`,
      name: 'with',
      label: label ?? say('book.with'),
      options: [
        ['', say('book.anyone')],
        ...candidates.map(({ id, name, localized }) => [id, pickText(localized?.name ?? {}, locale) ?? name] as const),
      ],
      chosen: choice.persons,
    }),
  )

const places = ({ locations, business }: Plan) =>
  locations.flatMap((id) =>
    id === undefined ? [] : [[id, business.locations?.find((one) => one.id === id)?.name ?? id] as const],
  )

function selectable(plan: Plan) {
  const all = choosableResources(plan)
  return plan.requirements
    .map(({ selectable: can, candidates }, index) => ({
      can,
      candidates,
      label: plan.service.resources?.[index]?.name,
    }))
    .filter(({ can, candidates }) => can && candidates.every((one) => all.includes(one)))
}
