import { hash } from 'node:crypto'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { memoize } from '../infra/util/memoize.ts'
import type { Fault } from './errors.ts'
import type { Schema } from './json-schemas.ts'
import { makeAjv } from './make-ajv.ts'
import { isSmall } from './parse-json-safely.ts'
import { prebuiltValidators } from './prebuilt-validators.ts'

export const MOST_FAULTS = 50
/** Maximum number of characters of a property path in an error message. The server cuts off longer paths. */
const LONGEST_FIELD = 200

export type Validator = ValidateFunction

/**
 * Returns one of two Ajv compilers. Validators with `allErrors` collect all faults of a value, which takes far longer
 * than a stop at the first fault. The server therefore compiles such a validator only when a value fails.
 */
const compilerOf = memoize(2, (allErrors: boolean) => makeAjv({ allErrors }))

export const digestOf = (schema: Schema): string => hash('sha256', JSON.stringify(schema), 'base64url')

/** The validators of this process, by the digest of their schema. */
export const validators = new Map<string, Validator>()

/** Returns the validator of a JSON Schema. Equal schemas share one validator. */
export function compile(schema: Schema): Validator {
  const digest = digestOf(schema)
  const known = validators.get(digest)
  if (known) return known
  const prebuilt = prebuiltValidators.get(digest)
  const validator = prebuilt ? Object.assign(prebuilt, { schema }) : compilerOf(false).compile({ ...schema })
  validators.set(digest, validator)
  return validator
}

export interface Findings {
  faults: Fault[]
  /** Whether a required property of the value is missing. The call then gets the error code `invalid_request`. */
  lacksMembers: boolean
}

/**
 * Returns the fault that stopped the validator in its last run. For documents from unknown senders, the server reports
 * only this fault, because these documents can contain any number of faults.
 */
export const faultsOf = (validator: Validator): Fault[] => faultsIn(validator.errors)

/** Lists all faults of a value that the validator refused. For a large value, lists only the first fault. */
export const findingsOf = (validator: Validator, value: unknown): Findings =>
  isSmall(value) ? allFindings(validator, value) : findingsIn(validator.errors)

/**
 * Lists all faults of a refused value of any size. Callers use this function only for documents of the server's
 * operator, and `findingsOf` for all other values.
 */
export function allFindings({ schema }: Validator, value: unknown): Findings {
  if (typeof schema !== 'object') throw new Error('Only compiled schemas can report faults')
  const gather = compilerOf(true).compile(schema)
  gather(value)
  return findingsIn(gather.errors)
}

const findingsIn = (errors: Validator['errors']): Findings => ({
  faults: faultsIn(errors),
  lacksMembers: hasMissing(errors ?? []),
})

/**
 * Whether required properties are missing. If the value matches no alternative of a `oneOf` or `anyOf`, missing
 * properties count only if the value has no other faults there.
 */
function hasMissing(errors: ErrorObject[]): boolean {
  const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf')
  const choiceAt = ({ instancePath }: ErrorObject) => choices.find((choice) => choice.instancePath === instancePath)
  return errors.some((error) => {
    const choice = isMissing(error) ? choiceAt(error) : undefined
    return choice
      ? errors.every((other) => other === choice || !isWithin(other, choice) || isMissing(other))
      : isMissing(error)
  })
}

const isMissing = ({ keyword }: ErrorObject): boolean => keyword === 'required' || keyword === 'dependentRequired'

const isWithin = ({ instancePath }: ErrorObject, choice: ErrorObject): boolean =>
  instancePath === choice.instancePath || instancePath.startsWith(`${choice.instancePath}/`)

/**
 * Converts the errors of the validator library Ajv to faults with paths such as `buyer.email`. Leaves out the general
 * errors of `anyOf` and `oneOf` if there are more precise errors.
 */
function faultsIn(found: Validator['errors']): Fault[] {
  const all = (found ?? []).filter(({ keyword }) => keyword !== 'if')
  const precise = all.filter(({ keyword }) => keyword !== 'anyOf' && keyword !== 'oneOf')
  const errors = precise.length > 0 ? precise : all
  const faults = new Map<string, Fault>()
  for (const error of errors.slice(0, MOST_FAULTS)) {
    const [field, message] = [fieldOf(error), messageOf(error)]
    const place = `${field} ${choiceOf(error)}`
    const before = faults.get(place)
    faults.set(place, { field, message: before ? `${before.message} or ${message}` : message })
  }
  return [...faults.values()]
}

/**
 * Returns the schema path of the `anyOf` or `oneOf` that caused a fault. The server combines the faults of several
 * alternatives for the same property into one fault.
 */
const choiceOf = ({ schemaPath }: ErrorObject): string => schemaPath.split(/(?<=\/(?:anyOf|oneOf))\//, 1).join()

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(plainToken)
  if (keyword === 'required' || keyword === 'dependentRequired') path.push(params.missingProperty)
  if (keyword === 'additionalProperties') path.push(params.additionalProperty)
  if (keyword === 'unevaluatedProperties') path.push(params.unevaluatedProperty)
  return fieldAt(path)
}

export const fieldAt = (path: string[]): string => path.join('.').slice(0, LONGEST_FIELD).toWellFormed()

/** Explains each format in words, because people understand words more easily than a regular expression. */
const formats: Record<string, string> = {
  date: 'a day, such as 2026-12-24',
  'date-time': 'a time with its offset, such as 2026-12-24T09:00:00+01:00',
  duration: 'a duration of ISO 8601, such as PT90M or P2D',
  uri: 'a full address, such as https://example.com/page',
}

function messageOf({ keyword, params, message, instancePath, parentSchema }: ErrorObject): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'additionalProperties') return `is not known here${knownIn(parentSchema)}`
  if (keyword === 'unevaluatedProperties') return 'is not known here'
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'dependentRequired') return `is missing: ${params.property} requires it`
  if (keyword === 'format' && formats[params.format]) return `must be ${formats[params.format]}`
  if (keyword === 'pattern' && parentSchema?.description) return `${message}: ${parentSchema.description}`
  if (keyword === 'false schema') return 'is not allowed here'
  return message ?? `does not fit the schema at ${instancePath}`
}

function knownIn(schema: ErrorObject['parentSchema']): string {
  const names = Object.keys(schema?.properties ?? {})
  return names.length > 0 ? `; known members are ${names.join(', ')}` : ''
}

const plainToken = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')
