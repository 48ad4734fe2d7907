import type { KeywordCxt } from 'ajv'
import { _, Ajv2020 } from 'ajv/dist/2020.js'
import { formats, hasUniqueItems } from './json-schema-formats.ts'
import { documents } from './json-schemas.ts'

interface AjvOptions {
  /** Whether the validators collect all faults of a value. Otherwise, they stop at the first fault. */
  allErrors: boolean
  /** Whether Ajv keeps the code of the validators. The build writes this code to a file. */
  keepsCode?: boolean
}

/** Creates a compiler for JSON Schemas that can refer to the documents of the protocol. */
export function makeAjv({ allErrors, keepsCode = false }: AjvOptions): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    verbose: allErrors,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    // Ajv's code optimization stays off. It took two fifths of the compile time and made no call faster, because V8
    // optimizes the generated code anyway.
    code: keepsCode ? { source: true, esm: true, formats: _`formats` } : { optimize: false },
  })
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)
  replaceUniqueItems(ajv)
  for (const document of documents.values()) {
    ajv.addSchema(document)
    // Each named schema gets its own id. Otherwise, Ajv would compile the schema again for each reference to it.
    for (const [name, shape] of Object.entries(document.$defs)) ajv.addSchema(shape, `${document.$id}#/$defs/${name}`)
  }
  return ajv
}

/**
 * Replaces Ajv's check of `uniqueItems`. Ajv compares each item of a list with all others, which is slow for long
 * lists.
 */
function replaceUniqueItems(ajv: Ajv2020) {
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    code(context: KeywordCxt) {
      const check = context.gen.scopeValue('func', { ref: hasUniqueItems, code: _`hasUniqueItems` })
      if (context.schema) context.fail(_`!${check}(${context.data})`)
    },
    error: { message: 'must NOT have duplicate items' },
  })
}
