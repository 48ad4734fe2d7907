import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { LRUCache } from 'lru-cache'
import type { Fault } from './errors.ts'
import { documents, type Schema } from './schemas.ts'

/** Longer ones would fill the memory. */
const LONGEST_INSTANT = 40

const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false })
addFormats.default(ajv)
rememberInstants()
for (const document of documents.values()) ajv.addSchema(document)

/** Answers are full of instants, and one has much the same as the one before it. */
function rememberInstants() {
  const { validate } = Object(addFormats.default.get('date-time'))
  const known = new LRUCache<string, boolean>({ max: 10_000 })
  ajv.addFormat('date-time', (text: string): boolean => {
    const before = known.get(text)
    if (before !== undefined || text.length > LONGEST_INSTANT) return before ?? validate(text)
    const isInstant = validate(text)
    known.set(text, isInstant)
    return isInstant
  })
}

/** So many are told of one input; who has more to mend begins with these. */
export const MOST_FAULTS = 50

export type Validator = ValidateFunction

export const compile = (schema: Schema): Validator => ajv.compile({ ...schema })

/** The faults of the last run, each with its place as a dotted path. Branch summaries of anyOf and oneOf add nothing. */
export function faultsOf(validator: Validator): Fault[] {
  const all = (validator.errors ?? []).filter(({ keyword }) => keyword !== 'if')
  const precise = all.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'oneOf')
  const errors = precise.length > 0 ? precise : all
  return errors.slice(0, MOST_FAULTS).map((error) => ({ field: fieldOf(error), message: messageOf(error) }))
}

/** Whether members are missing, whatever else is wrong. */
export const lacksMembers = (validator: Validator) =>
  (validator.errors ?? []).some(({ keyword }) => keyword === 'required' || keyword === 'dependentRequired')

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(plainToken)
  if (keyword === 'required' || keyword === 'dependentRequired') path.push(params.missingProperty)
  if (keyword === 'additionalProperties') path.push(params.additionalProperty)
  if (keyword === 'unevaluatedProperties') path.push(params.unevaluatedProperty)
  return path.join('.')
}

function messageOf({ keyword, params, message, instancePath }: ErrorObject): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') return 'is not known here'
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'false schema') return 'is not allowed here'
  return message ?? `does not fit the schema at ${instancePath}`
}

const plainToken = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')
