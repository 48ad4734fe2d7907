import { hash } from 'node:crypto'
import { askChildProcess } from '../../infra/util/ask-child-process.ts'
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
    const message: EncodingTask = { bytes, format }
    const answer = await askChildProcess<EncodingAnswer>({
      program: ENCODER,
      message,
      maxMs,
      answerAtEnd: { fault: 'unreadable' },
    })
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
