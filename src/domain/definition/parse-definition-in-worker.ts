import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import type { Answer, Task } from './definition-parser-worker.ts'
import type { ParsedDefinition } from './read-definition.ts'

/**
 * `LONGEST_MS`: the server stops the parsing of a business definition after this many milliseconds, because a text that
 * takes longer is probably an attack. `IDLE_MS`: the server ends an unused worker thread after this many milliseconds.
 */
const LONGEST_MS = 10_000
const IDLE_MS = 60_000
const MOST_MEGABYTES = 256

/**
 * A worker thread that parses business definitions. The promise `loaded` resolves when the thread sends its first
 * message (it is ready) or ends.
 */
interface Thread {
  worker: Worker
  loaded: Promise<unknown>
}

let turn: Promise<unknown> = Promise.resolve()
let thread: Thread | undefined
let idle: NodeJS.Timeout | undefined

/**
 * Parses a business definition in a worker thread. In the main thread, parsing a long definition would block the event
 * loop for seconds.
 */
export async function readInWorker(text: string, longest = LONGEST_MS): Promise<ParsedDefinition> {
  const answer = await runTask({ read: text }, longest)
  if ('reading' in answer) return answer.reading
  throw new Error('The worker thread did not answer with a parsed definition')
}

/** Converts a business definition from JSON to YAML in the worker thread. */
export async function writeInWorker(json: string): Promise<string> {
  const answer = await runTask({ write: json }, LONGEST_MS)
  if ('yaml' in answer) return answer.yaml
  throw new Error('The worker thread did not answer with YAML')
}

function runTask(task: Task, longest: number): Promise<Exclude<Answer, { refusal: string }>> {
  const done = turn.then(() => inThread(task, longest))
  turn = done.catch(() => {})
  return done
}

async function inThread(task: Task, longest: number) {
  clearTimeout(idle)
  thread ??= started()
  const { worker, loaded } = thread
  // On a busy machine, the worker thread takes seconds to load. The loading time does not count toward the time limit
  // for parsing.
  await loaded
  if (thread?.worker !== worker) throw new Error('The thread that reads definitions ended before it had one')
  const late = setTimeout(() => end(worker), longest)
  worker.postMessage(task)
  try {
    const answer = await answerOf(worker)
    if ('refusal' in answer) throw new PlainError(answer.refusal)
    return answer
  } finally {
    clearTimeout(late)
    idle = setTimeout(() => end(worker), IDLE_MS).unref()
  }
}

async function answerOf(worker: Worker): Promise<Answer> {
  const answered = new AbortController()
  const { signal } = answered
  const ended = once(worker, 'exit', { signal }).then(() => ({
    refusal: 'The definition takes too long to read or to write. Remove parts that are not needed.',
  }))
  try {
    const [answer] = await Promise.race([once(worker, 'message', { signal }), ended.then((one) => [one])])
    return answer
  } catch (error) {
    if (asRecord(error).code === 'ERR_WORKER_OUT_OF_MEMORY')
      return { refusal: 'The definition takes too much memory. Remove parts that are not needed.' }
    throw error
  } finally {
    answered.abort()
  }
}

function started(): Thread {
  const worker = new Worker(new URL('./definition-parser-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  })
  // Without this listener, an error of the worker thread would end the whole process. The listener does nothing,
  // because `answerOf` reports the error to its caller.
  worker.on('error', () => {})
  worker.once('exit', () => forget(worker))
  worker.unref()
  const loaded = new Promise((done) => {
    for (const event of ['message', 'exit']) worker.once(event, done)
  })
  return { worker, loaded }
}

/**
 * Ends a worker thread, which takes a moment. Before that, the server forgets the thread, so that the thread gets no
 * more tasks.
 */
function end(worker: Worker) {
  forget(worker)
  void worker.terminate()
}

function forget(worker: Worker) {
  if (thread?.worker === worker) thread = undefined
}
