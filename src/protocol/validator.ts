import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Fault } from './errors.ts'
import { addBoundedFormats } from './formats.ts'
import { documents, type Schema } from './schemas.ts'
import { isSmall } from './text.ts'
import { addUniqueItems } from './unique-items.ts'

/** Decides, and stops at the first fault: to gather all takes far longer than the faults are many. */
const quick = makeAjv({ allErrors: false })
/** Gathers them for who wants to mend a value; compiled when the first has something to mend. */
const thorough = makeAjv({ allErrors: true })

function makeAjv({ allErrors }: { allErrors: boolean }) {
  // V8 optimizes what it runs; that the code is tidied before took two fifths of the compiling, and made no call faster.
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
    // Each shape by itself: what is found by a path within a document is compiled anew for everybody who refers to it.
    for (const [name, shape] of Object.entries(document.$defs)) ajv.addSchema(shape, `${document.$id}#/$defs/${name}`)
  }
  return ajv
}

/** So many are told of one input; who has more to mend begins with these. */
export const MOST_FAULTS = 50
/** A place deeper than that is told by its beginning. */
const LONGEST_FIELD = 200

export type Validator = ValidateFunction

export const compile = (schema: Schema): Validator => quick.compile({ ...schema })

/** What is wrong with a value. */
export interface Findings {
  faults: Fault[]
  /** Whether members are missing, whatever else is wrong. */
  lacksMembers: boolean
}

/** What the last run stopped at. For what strangers publish: they may have put in as many faults as they liked. */
export const faultsOf = (validator: Validator): Fault[] => faultsIn(validator.errors)

/** Everything that is wrong with a value that was refused; of a large one what came first. */
export const findingsOf = (validator: Validator, value: unknown): Findings =>
  isSmall(value) ? allFindings(validator, value) : findingsIn(validator.errors)

/** The same however large it is: for what the operator wrote. */
export function allFindings({ schema }: Validator, value: unknown): Findings {
  if (typeof schema !== 'object') throw new Error('Only compiled schemas can tell what is wrong')
  const gather = thorough.compile(schema)
  gather(value)
  return findingsIn(gather.errors)
}

const findingsIn = (errors: Validator['errors']): Findings => ({
  faults: faultsIn(errors),
  lacksMembers: (errors ?? []).some(({ keyword }) => keyword === 'required' || keyword === 'dependentRequired'),
})

/** Each with its place as a dotted path. Branch summaries of anyOf and oneOf add nothing. */
function faultsIn(given: Validator['errors']): Fault[] {
  const all = (given ?? []).filter(({ keyword }) => keyword !== 'if')
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

/** What fits no branch of a choice is one fault of its place, told with all that it might have been. */
const choiceOf = ({ schemaPath }: ErrorObject): string => schemaPath.split(/(?<=\/(?:anyOf|oneOf))\//, 1).join()

function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const path = instancePath.split('/').slice(1).map(plainToken)
  if (keyword === 'required' || keyword === 'dependentRequired') path.push(params.missingProperty)
  if (keyword === 'additionalProperties') path.push(params.additionalProperty)
  if (keyword === 'unevaluatedProperties') path.push(params.unevaluatedProperty)
  return fieldAt(path)
}

/** A place in a value, as it is told. */
export const fieldAt = (path: string[]): string => path.join('.').slice(0, LONGEST_FIELD).toWellFormed()

/** What is meant, for those who do not read patterns. */
const formats: Record<string, string> = {
  date: 'a day, such as 2026-12-24',
  'date-time': 'a time with its offset, such as 2026-12-24T09:00:00+01:00',
  duration: 'a duration of ISO 8601, such as PT90M or P2D',
  uri: 'a whole address, such as https://example.com/page',
}

function messageOf({ keyword, params, message, instancePath, parentSchema }: ErrorObject): string {
  if (keyword === 'required') return 'is missing'
  if (keyword === 'additionalProperties') return `is not known here${knownIn(parentSchema)}`
  if (keyword === 'unevaluatedProperties') return 'is not known here'
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`
  if (keyword === 'const') return `must be ${JSON.stringify(params.allowedValue)}`
  if (keyword === 'dependentRequired') return `is missing: ${params.property} asks for it`
  if (keyword === 'format' && formats[params.format]) return `must be ${formats[params.format]}`
  if (keyword === 'pattern' && parentSchema?.description) return `${message}: ${parentSchema.description}`
  if (keyword === 'false schema') return 'is not allowed here'
  return message ?? `does not fit the schema at ${instancePath}`
}

/** What may stand in its place; nothing where that is not told, or may be anything by a pattern. */
function knownIn(schema: ErrorObject['parentSchema']): string {
  const names = Object.keys(schema?.properties ?? {})
  return names.length > 0 ? `; known are ${names.join(', ')}` : ''
}

const plainToken = (token: string) => token.replaceAll('~1', '/').replaceAll('~0', '~')
