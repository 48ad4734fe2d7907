import type { Fault } from '../../protocol/errors.ts'
import type { BusinessDefinition, OpeningWindow } from '../../protocol/types.generated.ts'
import { fault, type Rule } from './check-definition.ts'

const rules: Rule[] = [windowsRunForward, spansRunForward, rotasStandAlone]

export const hoursFaults = (definition: BusinessDefinition): Fault[] => rules.flatMap((rule) => [...rule(definition)])

function* windowsRunForward({ hours, special_hours, locations = [], resources = [] }: BusinessDefinition) {
  yield* backward(hours, 'hours')
  yield* backward(special_hours, 'special_hours')
  for (const [section, items] of Object.entries({ locations, resources }))
    for (const [index, item] of items.entries()) yield* backward(item.hours, `${section}.${index}.hours`)
  for (const [index, { special_hours, rota }] of resources.entries()) {
    yield* backward(special_hours, `resources.${index}.special_hours`)
    for (const [nth, week] of (rota?.weeks ?? []).entries())
      yield* backward(week.hours, `resources.${index}.rota.weeks.${nth}.hours`)
  }
}

function* rotasStandAlone({ resources = [] }: BusinessDefinition) {
  for (const [index, { hours, rota }] of resources.entries())
    if (hours && rota)
      yield fault(
        `resources.${index}.rota`,
        'cannot be combined with hours: the weeks of the rota have hours of their own',
      )
}

function* backward(windows: Pick<OpeningWindow, 'opens' | 'closes'>[] = [], field: string) {
  for (const [index, { opens, closes }] of windows.entries())
    if (closes !== '00:00' && opens >= closes)
      yield fault(`${field}.${index}`, `opens at ${opens}, which is not before it closes at ${closes}`)
}

function* spansRunForward({ closures = [], special_hours = [], resources = [] }: BusinessDefinition) {
  yield* endingBefore(closures, 'closures')
  yield* endingBefore(special_hours, 'special_hours')
  for (const [index, { time_off = [], special_hours = [] }] of resources.entries()) {
    yield* endingBefore(special_hours, `resources.${index}.special_hours`)
    for (const [nth, { from, to }] of time_off.entries())
      if (from > to) yield fault(`resources.${index}.time_off.${nth}`, `begins at ${from}, after it ends at ${to}`)
      else if (from === to && from.includes('T'))
        yield fault(`resources.${index}.time_off.${nth}`, `ends at ${to}, the moment it begins`)
  }
}

function* endingBefore(spans: { from: string; to?: string }[], field: string) {
  for (const [index, { from, to = from }] of spans.entries())
    if (from > to) yield fault(`${field}.${index}`, `begins on ${from}, after it ends on ${to}`)
}
