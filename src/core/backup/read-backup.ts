import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { PlainError } from '../../infra/util/command-line-error.ts'
import { asRecord } from '../../infra/util/object-members.ts'
import { type Head, NUL, type Section, type Tail } from './file-format.ts'
import { isHead, isSection, isTail } from './validate-backup-records.ts'

/**
 * The maximum number of bytes in the parts of a backup without table rows. These parts contain lists of migrations,
 * columns or row counts.
 */
const MAX_PART_BYTES = 2 ** 20

export type Part = { head: Head } | { section: Section; rows: AsyncIterable<Buffer> } | { tail: Tail }

/**
 * Yields the parts of a backup file in order. The caller must read all rows of a table before requesting the next part.
 */
export async function* partsOf(file: string): AsyncGenerator<Part> {
  const chunks = unpacked(file)
  try {
    yield* new Backup(file, chunks).parts()
  } finally {
    await chunks.return(undefined)
  }
}

export async function headOf(file: string): Promise<Head> {
  for await (const part of partsOf(file)) if ('head' in part) return part.head
  throw damaged(file)
}

/**
 * Reads the whole backup file, and returns its last part with counts and checksums. Throws an error if a part is
 * damaged or missing.
 */
export async function tailOf(file: string): Promise<Tail> {
  for await (const part of partsOf(file)) {
    if ('rows' in part) for await (const _ of part.rows);
    if ('tail' in part) return part.tail
  }
  throw damaged(file)
}

async function* unpacked(file: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip()
  const flowing = pipeline(createReadStream(file), gunzip)
  // The server ignores the error here, because the stream `gunzip` reports the same error to its reader.
  flowing.catch(() => {})
  try {
    yield* gunzip
  } catch (error) {
    const code = String(asRecord(error).code)
    if (code.startsWith('Z_')) throw damaged(file)
    throw code.startsWith('E') ? new PlainError(`${file} cannot be read (${code}).`) : error
  }
}

const damaged = (file: string) =>
  new PlainError(`${file} is not a backup, or is damaged or incomplete. Nothing was restored; use another file.`)

class Backup {
  readonly #file: string
  readonly #chunks: AsyncIterator<Buffer>
  readonly #sha256 = createHash('sha256')
  #bytes = 0
  #rest: Buffer = Buffer.alloc(0)

  constructor(file: string, chunks: AsyncIterator<Buffer>) {
    this.#file = file
    this.#chunks = chunks
  }

  async *parts(): AsyncGenerator<Part> {
    const head = await this.#read()
    if (!isHead(head)) throw damaged(this.#file)
    yield { head }
    for (;;) {
      const [bytes, sha256] = [this.#bytes, this.#sha256.copy().digest('hex')]
      const part = await this.#read()
      if (isSection(part)) yield { section: part, rows: this.#untilNul() }
      else if (isTail(part) && part.bytes === bytes && part.sha256 === sha256) return yield { tail: part }
      else throw damaged(this.#file)
    }
  }

  async #read(): Promise<unknown> {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of this.#untilNul()) {
      length += chunk.length
      if (length > MAX_PART_BYTES) throw damaged(this.#file)
      chunks.push(chunk)
    }
    try {
      return JSON.parse(Buffer.concat(chunks).toString('utf8'))
    } catch {
      throw damaged(this.#file)
    }
  }

  async *#untilNul(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#rest.indexOf(NUL)
      const chunk = end === -1 ? this.#rest : this.#rest.subarray(0, end)
      this.#rest = this.#rest.subarray(end === -1 ? chunk.length : end + 1)
      this.#took(chunk)
      if (chunk.length > 0) yield chunk
      if (end !== -1) return this.#took(NUL)
      const { done, value } = await this.#chunks.next()
      if (done) throw damaged(this.#file)
      this.#rest = value
    }
  }

  #took(bytes: Buffer) {
    this.#sha256.update(bytes)
    this.#bytes += bytes.length
  }
}
