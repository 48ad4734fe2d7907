import { kindOf } from '../../../../src/doors/desk/setup/kinds.ts'
import { itemsOf, membersOf, resolved, valuesOf } from '../../../../src/doors/desk/setup/schema.ts'
import { FURTHER, formOfSection, SECTIONS } from '../../../../src/doors/desk/setup/sections.ts'
import type { Schema } from '../../../../src/protocol/schemas.ts'

/** A member of the definition for which some form has a field, and what can be chosen in it. */
export interface ShownField {
  name: string
  /** Of the object that it is in. */
  title: unknown
  values: string[]
}

/** Every field of every form, also of what most businesses never have. */
export const shownFields = (): ShownField[] =>
  [...SECTIONS, ...FURTHER].flatMap((section) => fieldsOf(formOfSection(section).schema))

function fieldsOf(schema: Schema): ShownField[] {
  return membersOf(schema).flatMap(([name, member]) => {
    const inIt = resolved(member, undefined)
    const kind = kindOf(name, inIt, { title: schema.title, type: undefined })
    if (kind === 'id') return []
    const shown = { name, title: schema.title, values: [...valuesOf(inIt), ...valuesOf(itemsOf(inIt))] }
    if (kind === 'members') return [shown, ...fieldsOf(inIt)]
    return kind === 'rows' ? [shown, ...fieldsOf(itemsOf(inIt))] : [shown]
  })
}
