import { parentPort } from 'node:worker_threads'
import { PlainError } from '../basics/plain-error.ts'
import { type Reading, readDefinition } from './read-definition.ts'

export type Answer = { reading: Reading } | { refusal: string }

parentPort?.on('message', (text: string) => parentPort?.postMessage(answerTo(text)))

function answerTo(text: string): Answer {
  try {
    return { reading: readDefinition(text, 'definition') }
  } catch (error) {
    if (error instanceof PlainError) return { refusal: error.message }
    throw error
  }
}
