import { translatableTexts } from '../../../domain/definition/translatable-texts.ts'
import type { Localizer } from '../../../infra/i18n/localizer.ts'
import { daysLater } from '../../../infra/time/time-zone.ts'
import { type Content, html } from '../../../infra/util/html-template.ts'
import type { TimeSlot } from '../../../protocol/types.generated.ts'
import { chooser, radioChoice } from '../../pages/form-inputs.ts'
import { rangeForm } from '../date-range-form.ts'
import { PERSON_FIELDS, personFields } from '../person-fields.ts'
import { formParts, pathsIn } from '../setup/definition-form-parts.ts'
import { saveBar } from '../setup/definition-section-page.ts'
import { formOfSection } from '../setup/definition-sections.ts'
import { timeChooser, weekLink } from '../time-chooser.ts'
import { state } from './component-group.ts'
import { at, DATE, sampleBusiness, ZONE } from './sample-day.ts'

/** Form fields: empty, filled in, and refused by the server. */
export function fields(localizer: Localizer): Content {
  const { say } = localizer
  const faulty = { id: 'refused-email', label: say('book.field.email'), fault: say('book.fault.email') }
  const people = sampleBusiness().resources ?? []
  return html`${state(
    'Empty',
    personFields(PERSON_FIELDS, () => undefined, localizer, { prefix: 'empty-' }),
  )}
${state(
  'Refused',
  personFields(['first_name', 'email'], () => 'Ruth', localizer, { prefix: 'refused-', faulty }),
)}
${state('Disabled', html`<fieldset disabled>${personFields(['first_name', 'last_name'], () => 'Ruth', localizer, { prefix: 'disabled-' })}</fieldset>`)}
${state(
  'A list of options, and days',
  html`${chooser({ name: 'person', label: say('book.with'), options: people.map(({ id, name }) => [id, name]), chosen: ['staff_nina'] })}
${rangeForm('/desk/design', { from: DATE, to: daysLater(DATE, 6) }, localizer)}`,
)}
${state('A long form of the settings', settingsForm(localizer))}`
}

/**
 * The form of a person in the settings, with its parts, rows, checkboxes and languages. The server refused the
 * description.
 */
function settingsForm(localizer: Localizer): Content {
  const definition = sampleBusiness()
  const value = definition.resources?.find(({ id }) => id === 'staff_nina') ?? {}
  const { schema, parts } = formOfSection('resources', value)
  const form = formParts(
    parts,
    { schema, path: '', value, isNeeded: true },
    {
      localizer,
      currency: definition.business.currency ?? 'USD',
      remaining: { left: 500 },
      refusedPaths: ['description'],
      placedPaths: pathsIn(parts),
      editedList: undefined,
      ids: new Set(),
      languages: { usual: 'en', others: ['de'] },
      texts: new Map(translatableTexts('resources', value).map((text) => [text.path, text])),
      listed: (list) => definition[list]?.map(({ id, name }) => ({ id, name })) ?? [],
    },
  )
  return html`${form}${saveBar({ isThere: true }, localizer)}`
}

/** Chips, and the choice of a time: chosen, not chosen, and not available. */
export function choices(localizer: Localizer): Content {
  const days = Array.from({ length: 7 }, (_, nth) => daysLater(DATE, nth))
  const slot = (id: string, date: string, clock: string, name: string): TimeSlot => ({
    id,
    service_id: 'svc_haircut',
    start: at(clock, date),
    end: at(clock.replace(':00', ':30'), date),
    duration: 'PT30M',
    state: 'available',
    resources: [{ id: name, type: 'staff', name }],
  })
  const slots = [
    slot('one', DATE, '09:00', 'Jane Smith'),
    slot('two', DATE, '09:00', 'Nina Rossi'),
    slot('three', DATE, '10:00', 'Jane Smith'),
    slot('four', daysLater(DATE, 2), '10:00', 'Nina Rossi'),
  ]
  const week = {
    slots,
    zone: ZONE,
    days,
    firstUnread: days.at(-1),
    earlier: daysLater(DATE, -7),
    later: daysLater(DATE, 7),
  }
  return timeChooser(
    week,
    {
      pick: ({ id }, text) => radioChoice({ name: 'slot', value: id, isChosen: id === 'two' }, text),
      otherWeek: weekLink(() => '/desk/design'),
    },
    localizer,
  )
}
