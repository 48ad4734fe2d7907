import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { DATA_FOLDER } from '../data-folder.ts'
import { show } from '../run/expectations.ts'
import { Mismatch } from '../run/mismatch.ts'

const FOLDER = new URL('schemas/', DATA_FOLDER)
/** The extensions of the UCP checkout refer to its schema, which the package does not contain. */
const UCP_CHECKOUT = { $id: 'https://ucp.dev/latest/schemas/shopping/checkout.json', type: 'object' }

/** Validates values against the schemas of the protocol, which the package contains. */
export class SchemaValidator {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false })
  readonly #ids = new Map<string, string>()

  constructor() {
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(UCP_CHECKOUT)
    for (const file of readdirSync(FOLDER)) {
      const schema = JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
      this.#ajv.addSchema(schema)
      this.#ids.set(file.replace('.json', ''), schema.$id)
    }
  }

  /** Requires a value to be valid against a definition, such as `catalog#Service`. */
  expectValid(reference: string, value: unknown, what: string): void {
    const validate = this.#validator(reference)
    if (validate(value)) return
    const [error] = validate.errors ?? []
    const at = error?.instancePath ? ` at ${error.instancePath}` : ''
    throw new Mismatch(`${what} to be valid against ${reference}`, `${show(value)}${at}: ${error?.message}`)
  }

  #validator(reference: string): ValidateFunction {
    const [file = '', definition] = reference.split('#')
    const id = this.#ids.get(file)
    const validate = id && this.#ajv.getSchema(definition ? `${id}#/$defs/${definition}` : id)
    if (!validate) throw new Error(`The package has no schema ${reference}.`)
    return validate
  }
}
