import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isAuthorityTooLong } from '../infra/net/parse-url.ts'
import { isEmail, LONGEST_EMAIL } from '../infra/util/email-address.ts'
import { memoize } from '../infra/util/memoize.ts'
import { asRecord } from '../infra/util/object-members.ts'
import type { Fault } from './errors.ts'
import { documents, type Schema } from './json-schemas.ts'
import { canonical, isSmall } from './parse-json-safely.ts'

/**
 * The formats that a schema may name, each with its maximum length. The server checks the length first, because some
 * format checks parse the whole text.
 */
const longestText = {
  date: 10,
  'date-time': 64,
  duration: 100,
  email: LONGEST_EMAIL,
  uri: 65_536,
  'uri-reference': 65_536,
} as const

type FormatName = keyof typeof longestText

export const formatNames = Object.keys(longestText) as FormatName[]

const MOST_INSTANTS = 10_000

function addBoundedFormats(ajv: Ajv2020) {
  for (const name of formatNames) ajv.addFormat(name, name === 'date-time' ? memoized(formatOf(name)) : formatOf(name))
}

export function formatOf(name: FormatName): (text: string) => boolean {
  const fits = name === 'email' ? isEmail : testOf(addFormats.default.get(name))
  return (text) => text.length <= longestText[name] && !(name === 'uri' && isAuthorityTooLong(text)) && fits(text)
}

function testOf(format: ReturnType<typeof addFormats.default.get>): (text: string) => boolean {
  if (format instanceof RegExp) return (text) => format.test(text)
  if (typeof format === 'function') return (text) => format(text) === true
  const { validate } = asRecord(format)
  if (typeof validate !== 'function') throw new Error('A format that cannot be asked')
  return (text) => validate(text) === true
}

/** Caches the results of the `date-time` format check, because many answers contain the same instants. */
function memoized(fits: (text: string) => boolean): (text: string) => boolean {
  const known = memoize(MOST_INSTANTS, fits)
  return (text) => text.length <= longestText['date-time'] && known(text)
}

/** This validator stops at the first fault of a value. To collect all faults would take far longer. */
const quick = makeAjv({ allErrors: false })
/** This validator collects all faults of a refused value. The server compiles its schema when a value first fails. */
const thorough = makeAjv({ allErrors: true })

function makeAjv({ allErrors }: { allErrors: boolean }) {
  // The code optimization of the validator library Ajv took two fifths of the compile time. It made no call faster,
  // because V8 optimizes the generated code anyway.
  const code = { optimize: false }
  const ajv = new Ajv2020({
    allErrors,
    verbose: allErrors,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    code,
  })
  addBoundedFormats(ajv)
  addUniqueItems(ajv)
  for (const document of documents.values()) {
    ajv.addSchema(document)
    // Each named schema gets its own id. Otherwise, Ajv would compile the schema again for each reference to it.
    for (const [name, shape] of Object.entries(document.$defs)) ajv.addSchema(shape, `${document.$id}#/$defs/${name}`)
  }
  return ajv
}

export const MOST_FAULTS = 50
/**
 * In error messages, the path of a wrong member has at most this many characters. The server truncates longer paths.
 */
const LONGEST_FIELD = 200

export type Validator = ValidateFunction

export const compile = (schema: Schema): Validator => quick.compile({ ...schema })

export interface Findings {
  faults: Fault[]
  /**
   * Whether a required member of the value is missing. A call with such a value gets the error code `invalid_request`.
   */
  lacksMembers: boolean
}

/**
 * Returns the fault that stopped the validator when it last ran. For documents of unknown senders, the server reports
 * only this fault, because these documents may contain any number of faults.
 */
export const faultsOf = (validator: Validator): Fault[] => faultsIn(validator.errors)

/** Lists all faults of a refused value. For a large value, it lists only the first fault. */
export const findingsOf = (validator: Validator, value: unknown): Findings =>
  isSmall(value) ? allFindings(validator, value) : findingsIn(validator.errors)

/**
 * Lists all faults of a refused value of any size. Use this function only for documents of the operator, and
 * `findingsOf` for other values.
 */
export function allFindings({ schema }: Validator, value: unknown): Findings {
  if (typeof schema !== 'object') throw new Error('Only compiled schemas can report faults')
  const gather = thorough.compile(schema)
  gather(value)
  return findingsIn(gather.errors)
}

const findingsIn = (errors: Validator['errors']): Findings => ({
  faults: faultsIn(errors),
  lacksMembers: hasMissing(errors ?? []),
})

/**
 * Whether required members are missing. If the value fits no alternative of a `oneOf` or `anyOf`, missing members count
 * only if the value has no other faults there.
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
 * alternatives at the same place into one fault.
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

/**
 * Replaces Ajv's check of `uniqueItems`, which compares each item of a list with all others. This check takes linear
 * time, so that long lists cannot slow the server down.
 */
function addUniqueItems(ajv: Ajv2020) {
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isWanted: boolean, items: unknown[]) => !isWanted || new Set(items.map(canonical)).size === items.length,
    error: { message: 'must NOT have duplicate items' },
  })
}
