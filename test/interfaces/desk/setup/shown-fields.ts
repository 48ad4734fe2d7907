import { itemsOf, membersOf, resolved, valuesOf } from '../../../../src/interfaces/desk/setup/definition-schema.ts'
import { formOfSection, RARE_SECTIONS, SECTIONS } from '../../../../src/interfaces/desk/setup/definition-sections.ts'
import { kindOf } from '../../../../src/interfaces/desk/setup/field-kinds.ts'
import type { Schema } from '../../../../src/protocol/json-schemas.ts'

/** A member of the definition for which some form has a field, and what can be chosen in it. */
export interface ShownField {
  name: string
  /** Of the object that it is in. */
  title: unknown
  values: string[]
}

/** Every field of every form, also of what most businesses never have. */
export const shownFields = (): ShownField[] =>
  [...SECTIONS, ...RARE_SECTIONS].flatMap((section) => fieldsOf(formOfSection(section).schema))

/** Of what may be of several types each shows other fields. */
const OF_EACH_TYPE: readonly unknown[] = [undefined, '', [], {}]

function fieldsOf(schema: Schema): ShownField[] {
  return membersOf(schema).flatMap(([name, member]) =>
    OF_EACH_TYPE.flatMap((value) => fieldsFor(name, resolved(member, value), schema.title)),
  )
}

function fieldsFor(name: string, schema: Schema, title: unknown): ShownField[] {
  const kind = kindOf(name, schema, { title, type: undefined })
  if (kind === 'id') return []
  const shown = { name, title, values: [...valuesOf(schema), ...valuesOf(itemsOf(schema))] }
  if (kind === 'members') return [shown, ...fieldsOf(schema)]
  return kind === 'rows' ? [shown, ...fieldsOf(itemsOf(schema))] : [shown]
}
