import { hash } from 'node:crypto'
import { ProtocolError } from '../../protocol/errors.ts'

/** The maximum number of parts in a form with a file: its fields, and the file. */
const MAX_PARTS = 20
const MAX_PART_HEADER_BYTES = 1_000
const MAX_FIELD_BYTES = 4_000

const LINE_END = '\r\n'

/** A form with one file. In the fields, the digest of the file stands for the file. */
export class FormWithFile extends URLSearchParams {
  file: Buffer | undefined
}

/**
 * Reads a form in the format `multipart/form-data` (RFC 7578), as browsers send it for a form with a file. The type and
 * the name of the file are ignored, because anybody can choose them.
 */
export function readMultipartForm(body: Buffer, contentType: string): FormWithFile {
  const [, boundary] = /^multipart\/form-data *; *boundary="?([\w'()+,./:=?-]{1,70})"?$/i.exec(contentType) ?? []
  if (boundary === undefined) throw unreadable()
  const form = new FormWithFile()
  for (const { name, isFile, content } of partsOf(body, boundary)) {
    if (!isFile) form.append(name, fieldOf(content))
    else if (content.length > 0) {
      if (form.file) throw unreadable()
      form.file = content
      form.append(name, hash('sha256', content))
    }
  }
  return form
}

interface Part {
  name: string
  isFile: boolean
  content: Buffer
}

function* partsOf(body: Buffer, boundary: string): Generator<Part> {
  const first = `--${boundary}`
  const next = `${LINE_END}${first}`
  if (!body.subarray(0, first.length).equals(Buffer.from(first))) throw unreadable()
  let at = first.length
  for (let parts = 0; parts < MAX_PARTS; parts++) {
    if (startsAt(body, at, '--')) return
    const headerEnd = body.subarray(at, at + MAX_PART_HEADER_BYTES).indexOf(LINE_END + LINE_END)
    const contentAt = at + headerEnd + 2 * LINE_END.length
    const end = headerEnd === -1 ? -1 : body.indexOf(next, contentAt)
    if (!startsAt(body, at, LINE_END) || end === -1) throw unreadable()
    yield { ...headerOf(body.toString('utf8', at, at + headerEnd)), content: body.subarray(contentAt, end) }
    at = end + next.length
  }
  throw new ProtocolError('content_too_large', `A form with a file may have ${MAX_PARTS} parts at most.`)
}

const startsAt = (body: Buffer, at: number, text: string) => body.toString('latin1', at, at + text.length) === text

function headerOf(header: string): Omit<Part, 'content'> {
  const [, name, file] = /\r\ncontent-disposition: *form-data; *name="([^"\r\n]*)"(; *filename=)?/i.exec(header) ?? []
  if (name === undefined) throw unreadable()
  return { name, isFile: file !== undefined }
}

function fieldOf(content: Buffer): string {
  if (content.length > MAX_FIELD_BYTES)
    throw new ProtocolError('content_too_large', `A field beside a file may have ${MAX_FIELD_BYTES} bytes at most.`)
  return content.toString('utf8').replaceAll('\0', '')
}

const unreadable = () => new ProtocolError('invalid_request', 'The body is no form in the format multipart/form-data.')
