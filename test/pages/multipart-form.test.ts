import { describe, expect, test } from 'vitest'
import { readMultipartForm } from '../../src/interfaces/pages/read-multipart-form.ts'
import { ProtocolError } from '../../src/protocol/errors.ts'

const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW'
const TYPE = `multipart/form-data; boundary=${BOUNDARY}`
const part = (header: string, content: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${header}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
const end = Buffer.from(`--${BOUNDARY}--\r\n`)
const field = (name: string, value: string) => part(`name="${name}"`, value)
const file = (content: Buffer | string) => part('name="picture"; filename="a.jpg"\r\nContent-Type: image/jpeg', content)
const codeOf = (body: Buffer, type = TYPE) => {
  try {
    readMultipartForm(body, type)
    return 'none'
  } catch (error) {
    return error instanceof ProtocolError ? error.code : String(error)
  }
}

describe('[form with a file]', () => {
  test('has its fields, its file, and the digest of the file', () => {
    const bytes = Buffer.from([0, 13, 10, 13, 10, 45, 45, 255, 0])
    const form = readMultipartForm(Buffer.concat([field('do', 'save'), file(bytes), field('alt', 'Ä\0b'), end]), TYPE)
    expect(form.file?.equals(bytes)).toBe(true)
    expect([...form.keys()]).toEqual(['do', 'picture', 'alt'])
    expect([form.get('do'), form.get('alt')]).toEqual(['save', 'Äb'])
    expect(form.get('picture')).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is the same form as a browser of today writes it', async () => {
    const sent = new FormData()
    sent.append('alt', 'a"b\r\nc')
    sent.append('picture', new Blob([new Uint8Array([1, 2, 3])]), 'x.png')
    const request = new Request('https://a.example', { method: 'POST', body: sent })
    const form = readMultipartForm(Buffer.from(await request.arrayBuffer()), request.headers.get('content-type') ?? '')
    expect([form.get('alt'), form.file?.toString('hex')]).toEqual(['a"b\r\nc', '010203'])
  })

  test('has no file where none was chosen', () => {
    const form = readMultipartForm(Buffer.concat([field('do', 'save'), file(''), end]), TYPE)
    expect([form.file, form.has('picture')]).toEqual([undefined, false])
  })

  test.each<[string, Buffer, string, string?]>([
    ['no boundary', end, 'invalid_request', 'multipart/form-data'],
    ['a boundary that is too long', end, 'invalid_request', `multipart/form-data; boundary=${'x'.repeat(71)}`],
    ['another boundary', end, 'invalid_request', 'multipart/form-data; boundary=other'],
    ['no end', field('a', 'b'), 'invalid_request'],
    ['nothing', Buffer.alloc(0), 'invalid_request'],
    ['a part without a name', Buffer.concat([part('x=y', 'b'), end]), 'invalid_request'],
    ['a header that is too long', Buffer.concat([part(`name="${'a'.repeat(2_000)}"`, 'b'), end]), 'invalid_request'],
    ['two files', Buffer.concat([file('a'), file('b'), end]), 'invalid_request'],
    ['a long field', Buffer.concat([field('a', 'b'.repeat(4_001)), end]), 'content_too_large'],
    ['many parts', Buffer.concat([...Array.from({ length: 21 }, () => field('a', 'b')), end]), 'content_too_large'],
  ])('%s is refused', (_, body, code, type) => {
    expect(codeOf(body, type)).toBe(code)
  })
})
