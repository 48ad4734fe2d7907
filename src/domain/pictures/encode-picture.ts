import { fork } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { limitConcurrency } from '../../infra/util/semaphore.ts'
import type { EncodingAnswer, EncodingTask, PictureFault } from './picture-encoder.ts'
import type { PictureFormat } from './picture-formats.ts'
import type { Picture } from './picture-queries.ts'

const ENCODER = new URL('./picture-encoder.ts', import.meta.url)
/**
 * The server ends the process of the encoder after this number of milliseconds. On a busy machine, the
 * largest allowed picture takes nine seconds.
 */
const MAX_MS = 30_000

/** Pictures are encoded one after the other, because a large one needs much memory. */
const inTurn = limitConcurrency(1)

export class PictureError extends Error {
  override name = 'PictureError'
  readonly fault: PictureFault

  constructor(fault: PictureFault) {
    super(`The picture was refused: ${fault}.`)
    this.fault = fault
  }
}

/** Decodes an uploaded picture in a separate process, and encodes it in the format. Refuses all other data. */
export const encodePicture = (bytes: Buffer, format: PictureFormat, maxMs = MAX_MS): Promise<Picture> =>
  inTurn(async () => {
    const answer = await answerOfProcess({ bytes, format }, maxMs)
    if ('fault' in answer) throw new PictureError(answer.fault)
    const { width, height, small } = answer
    const content = Buffer.from(answer.content)
    return {
      digest: hash('sha256', content, 'buffer'),
      type: format.type,
      width,
      height,
      content,
      small: small && Buffer.from(small),
    }
  })

/** The process gets no environment, so that it does not know the settings and secrets of the server. */
async function answerOfProcess(task: EncodingTask, maxMs: number): Promise<EncodingAnswer> {
  const encoder = fork(fileURLToPath(ENCODER), {
    env: { MALLOC_ARENA_MAX: '1' },
    execArgv: [],
    serialization: 'advanced',
    stdio: 'ignore',
  })
  // Before the answer, `once` also reports errors. Later errors change nothing, but must not end the server.
  encoder.on('error', () => {})
  const late = setTimeout(() => encoder.kill('SIGKILL'), maxMs)
  const answered = new AbortController()
  const { signal } = answered
  try {
    const ended = once(encoder, 'exit', { signal }).then((): [EncodingAnswer] => [{ fault: 'unreadable' }])
    const answer = once(encoder, 'message', { signal })
    encoder.send(task, () => {})
    const [first] = await Promise.race([answer, ended])
    return first
  } finally {
    answered.abort()
    clearTimeout(late)
    encoder.kill('SIGKILL')
  }
}
