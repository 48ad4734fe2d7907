import { readFileSync } from 'node:fs'
import { LineCounter, parseDocument } from 'yaml'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Fault } from '../../protocol/errors.ts'
import { shape } from '../../protocol/json-schemas.ts'
import { allFindings, compile } from '../../protocol/schema-validator.ts'
import type { BusinessDefinition } from '../../protocol/types.generated.ts'
import { definitionFaults } from './check-definition.ts'
import { hoursFaults } from './check-opening-hours.ts'
import { serviceFaults, serviceWarnings } from './check-services.ts'
import { uselessSpecialDays } from './check-special-days.ts'
import { unbookableServices } from './unbookable-services.ts'
import type { WarningCode } from './warning-codes.ts'

export interface ParsedDefinition {
  definition: BusinessDefinition
  /** Warnings about settings that are allowed but probably wrong. Each warning is one line of text. */
  warnings: string[]
  /** The warnings of `warnings` as codes, so that the server can translate them into other languages. */
  noted: WarningCode[]
}

const validate = compile(shape('BusinessDefinition'))

export function readDefinitionFile(file: string): ParsedDefinition {
  try {
    return readDefinition(readFileSync(file, 'utf8'), file)
  } catch (error) {
    throw error instanceof PlainError ? error : new PlainError(`${file} cannot be read (${asRecord(error).code}).`)
  }
}

/**
 * Parses and validates a business definition (YAML or JSON). If the definition has faults, throws an error that lists
 * them with their lines in the file.
 */
export function readDefinition(text: string, file: string): ParsedDefinition {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, logLevel: 'error' })
  const [unreadable] = document.errors
  if (unreadable) throw new PlainError(`${file}:${lines.linePos(unreadable.pos[0]).line}: ${unreadable.message}`)
  const definition = contentOf(document, file)

  const place = ({ field, message }: Fault) => {
    const node = nearestNode(document, field.split('.'))
    const line = node?.range ? `${file}:${lines.linePos(node.range[0]).line}: ` : ''
    return `${line}${readable(field, definition)} ${message}`
  }
  const faults = isDefinition(definition) ? semanticFaults(definition) : allFindings(validate, definition).faults
  if (faults.length > 0 || !isDefinition(definition))
    throw new PlainError(`${file} was not applied:\n${listedFaults(faults, place).join('\n')}`)
  const hardlyMeant = definition.services.flatMap((service, index) =>
    inService(index, serviceWarnings(service, definition)),
  )
  const warnings = [...hardlyMeant, ...unbookableServices(definition), ...uselessSpecialDays(definition)]
  const noted = warnings
    .slice(0, MAX_LISTED_FAULTS)
    .map(({ field, code, values }) => ({ code, path: readable(field, definition), values }))
  return { definition, warnings: listedFaults(warnings, place), noted }
}

const MAX_LISTED_FAULTS = 100

function listedFaults(faults: readonly Fault[], place: (fault: Fault) => string): string[] {
  const lines = [...new Set(faults.slice(0, MAX_LISTED_FAULTS).map(place))]
  return faults.length > MAX_LISTED_FAULTS ? [...lines, `and ${faults.length - MAX_LISTED_FAULTS} more`] : lines
}

/**
 * Converts a parsed YAML document to plain data, and replaces YAML aliases (references to other parts) with their
 * content. This can fail even if the parsing succeeded, for example because of too many aliases.
 */
function contentOf(document: ReturnType<typeof parseDocument>, file: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    throw new PlainError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

const isDefinition = (value: unknown): value is BusinessDefinition => validate(value)

const semanticFaults = (definition: BusinessDefinition): Fault[] => [
  ...definitionFaults(definition),
  ...hoursFaults(definition),
  ...definition.services.flatMap((service, index) => inService(index, serviceFaults(service, definition))),
]

const inService = <T extends Fault>(index: number, faults: Iterable<T>): T[] =>
  [...faults].map((one) => ({ ...one, field: `services.${index}.${one.field}` }))

/**
 * Finds the YAML node at a path, so that an error message can state the line of the node. If the node is missing, the
 * function returns its nearest parent node.
 */
function nearestNode(document: ReturnType<typeof parseDocument>, path: string[]) {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length).map(asKey), true)
    if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range))
      return { range: node.range }
  }
}

const asKey = (part: string) => (/^\d+$/.test(part) ? Number(part) : part)

/**
 * Replaces positions in a path with ids. Example: `services.3.pricing.amount` becomes
 * `services[svc_color].pricing.amount`.
 */
function readable(field: string, definition: unknown): string {
  let value = definition
  let path = ''
  for (const part of field.split('.')) {
    const parent = value
    value = asRecord(value)[part]
    const id: unknown = asRecord(value).id
    if (Array.isArray(parent)) path += `[${typeof id === 'string' ? id : part}]`
    else path += path ? `.${part}` : part
  }
  return path || 'the document'
}
