import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

interface Question<Answer> {
  /** The file of the program. It answers the message that it gets with one message. */
  program: URL
  message: object
  /** The process is killed after this number of milliseconds. */
  maxMs: number
  /** The answer if the process ends, or is killed, before it answers. */
  answerAtEnd: Answer
  execArgv?: string[]
}

/**
 * Runs a program in a separate process, for example because it reads hostile data. The process gets one message, and ends
 * after its answer. It gets no environment, so that it does not know the settings and secrets of the server.
 */
export async function askChildProcess<Answer>(question: Question<Answer>): Promise<Answer> {
  const { program, message, maxMs, answerAtEnd, execArgv = [] } = question
  const child = fork(fileURLToPath(program), {
    env: { MALLOC_ARENA_MAX: '1' },
    execArgv,
    serialization: 'advanced',
    stdio: 'ignore',
  })
  // Before the answer, `once` also reports errors. Later errors change nothing, but must not end the server.
  child.on('error', () => {})
  const late = setTimeout(() => child.kill('SIGKILL'), maxMs)
  const answered = new AbortController()
  const { signal } = answered
  try {
    const ended = once(child, 'exit', { signal }).then((): [Answer] => [answerAtEnd])
    const answer = once(child, 'message', { signal })
    child.send(message, () => {})
    const [first] = await Promise.race([answer, ended])
    return first
  } finally {
    answered.abort()
    clearTimeout(late)
    child.kill('SIGKILL')
  }
}
