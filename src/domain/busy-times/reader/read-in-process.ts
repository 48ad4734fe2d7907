import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { limitConcurrency } from '../../../infra/util/semaphore.ts'
import type { ReadingAnswer, ReadingTask } from './calendar-reader.ts'
import { CalendarError } from './event-error.ts'
import type { CalendarContent } from './read-calendar.ts'

const READER = new URL('./calendar-reader.ts', import.meta.url)
/** The server ends the process of the reader after this number of milliseconds. */
const MAX_MS = 20_000
const MAX_HEAP_MB = 256

/** Only two calendars are read at the same time, so that reading leaves processor time for callers. */
const inTurn = limitConcurrency(2)

/**
 * Reads the busy times of a calendar file in a separate process. Throws a `CalendarError` if the file is no complete
 * calendar, or if reading it takes too much time or memory.
 */
export const readInProcess = (task: ReadingTask, maxMs = MAX_MS): Promise<CalendarContent> =>
  inTurn(async () => {
    const answer = await answerOfProcess(task, maxMs)
    if ('fault' in answer) throw new CalendarError(answer.fault)
    return answer
  })

/** The process gets no environment, so that it does not know the settings and secrets of the server. */
async function answerOfProcess(task: ReadingTask, maxMs: number): Promise<ReadingAnswer> {
  const reader = fork(fileURLToPath(READER), {
    env: { MALLOC_ARENA_MAX: '1' },
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    serialization: 'advanced',
    stdio: 'ignore',
  })
  // Before the answer, `once` also reports errors. Later errors change nothing, but must not end the server.
  reader.on('error', () => {})
  const late = setTimeout(() => reader.kill('SIGKILL'), maxMs)
  const answered = new AbortController()
  const { signal } = answered
  try {
    const ended = once(reader, 'exit', { signal }).then((): [ReadingAnswer] => [{ fault: 'too_complex' }])
    const answer = once(reader, 'message', { signal })
    reader.send(task, () => {})
    const [first] = await Promise.race([answer, ended])
    return first
  } finally {
    answered.abort()
    clearTimeout(late)
    reader.kill('SIGKILL')
  }
}
