import { type Plan, planOf, resourcesOf } from '../../domain/availability/plan.ts'
import type { Localizer } from '../../infra/i18n/localizer.ts'
import { type Content, html } from '../../infra/util/html.ts'
import type { Booking, BusinessDefinition } from '../../protocol/types.generated.ts'

/** Texts of the drag script for places where the booking does not fit. */
export const dragTexts = ({ say }: Localizer): Content =>
  html` data-taken="${say('desk.drop.taken')}" data-closed="${say('desk.drop.closed')}" data-never="${say('desk.drop.never')}"`

/** Ids of the services that each resource can provide, separated by spaces for the drag script. */
export function servicesByResource(definition: BusinessDefinition | undefined): Map<string, string> {
  const pairs = (definition?.services ?? []).flatMap(({ id }) => {
    const plan = planOf(definition, id)
    return plan ? resourcesOf(plan).map((resource) => [resource, id] as const) : []
  })
  const groups = Map.groupBy(pairs, ([resource]) => resource)
  return new Map([...groups].map(([resource, of]) => [resource, of.map(([, id]) => id).join(' ')]))
}

/**
 * Translates a drop into the fields of the move form. The booking gets the resource of the target column. It keeps the
 * other resources that the buyer chose, and the server assigns the rest again.
 */
export function moveFormOfDrop(form: URLSearchParams, booking: Booking, plan: Plan | undefined): URLSearchParams {
  const at = form.get('at')
  const said = new URLSearchParams(at ?? form)
  const to = said.get('to')
  if (to === null || !plan) return said
  const kindOf = (id: string) => plan.requirements.find(({ candidates }) => candidates.some((one) => one.id === id))
  const now = resourceIds(booking)
  const from = said.get('from') ?? now.find((id) => kindOf(id) === kindOf(to))
  const others = now.filter((id) => id !== from && id !== to && kindOf(id)?.selectable)
  for (const id of [to, ...others]) said.append('with', id)
  for (const name of ['to', 'from']) said.delete(name)
  return said
}

export const resourceIds = ({ resources = [] }: Pick<Booking, 'resources'>): string[] =>
  resources.flatMap(({ id }) => id ?? [])
