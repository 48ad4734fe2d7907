import { type Plan, planOf, resourcesOf } from '../../domain/availability/service-scheduling-plan.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html-template.ts'
import type { Booking, BusinessDefinition } from '../../protocol/types.generated.ts'

/**
 * HTML attributes with texts for the script with which users drag bookings. The script shows one of these texts if the
 * booking does not fit at the pointer.
 */
export const dragTexts = ({ say }: Localizer): Content =>
  html` data-taken="${say('desk.drop.taken')}" data-closed="${say('desk.drop.closed')}" data-never="${say('desk.drop.never')}"`

/**
 * Maps each person or room to the ids of the services that they can provide. The ids are one text, separated by spaces,
 * because the drag script reads them from an HTML attribute.
 */
export function servicesByResource(definition: BusinessDefinition | undefined): Map<string, string> {
  const pairs = (definition?.services ?? []).flatMap(({ id }) => {
    const plan = planOf(definition, id)
    return plan ? resourcesOf(plan).map((resource) => [resource, id] as const) : []
  })
  const groups = Map.groupBy(pairs, ([resource]) => resource)
  return new Map(
    [...groups].map(([resource, servicesOfResource]) => [resource, servicesOfResource.map(([, id]) => id).join(' ')]),
  )
}

/**
 * Converts the drop of a dragged booking to the fields of the move form. The booking gets the person or room of the
 * target column. It also keeps other people and rooms that the buyer chose. The server assigns all remaining people and
 * rooms again.
 */
export function moveFormOfDrop(form: URLSearchParams, booking: Booking, plan: Plan | undefined): URLSearchParams {
  const at = form.get('at')
  const fields = new URLSearchParams(at ?? form)
  const to = fields.get('to')
  if (to === null || !plan) return fields
  const kindOf = (id: string) => plan.requirements.find(({ candidates }) => candidates.some((one) => one.id === id))
  const now = resourceIds(booking)
  const from = fields.get('from') ?? now.find((id) => kindOf(id) === kindOf(to))
  const keptResources = now.filter((id) => id !== from && id !== to && kindOf(id)?.selectable)
  for (const id of [to, ...keptResources]) fields.append('with', id)
  for (const name of ['to', 'from']) fields.delete(name)
  return fields
}

export const resourceIds = ({ resources = [] }: Pick<Booking, 'resources'>): string[] =>
  resources.flatMap(({ id }) => id ?? [])
