import { parentPort } from 'node:worker_threads'
import { stringify } from 'yaml'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { type ParsedDefinition, readDefinition } from './read-definition.ts'

export type Task = { read: string } | { write: string }
export type Answer = { reading: ParsedDefinition } | { yaml: string } | { refusal: string }

/**
 * The maximum number of characters of a business definition after the expansion of its YAML aliases. An alias refers to
 * another part of the text, so aliases can make a text a hundred times longer. Every later step must process the whole
 * expanded text.
 */
const MOST_WRITTEN_OUT = 1_000_000

parentPort?.on('message', (task: Task) => parentPort?.postMessage(answerTo(task)))
parentPort?.postMessage('ready')

function answerTo(task: Task): Answer {
  try {
    if ('write' in task) return { yaml: stringify(JSON.parse(task.write), { aliasDuplicateObjects: false }) }
    const reading = readDefinition(task.read, 'definition')
    const { length } = JSON.stringify(reading.definition)
    if (length > MOST_WRITTEN_OUT)
      throw new PlainError(
        `The definition has ${length} characters after its aliases are expanded; at most ${MOST_WRITTEN_OUT} ` +
          'are allowed.',
      )
    return { reading }
  } catch (error) {
    if (error instanceof PlainError) return { refusal: error.message }
    throw error
  }
}
