import { expect, test } from 'vitest'
import { parseUrl } from '../../src/infra/net/parse-url.ts'
import { formatOf } from '../../src/protocol/json-schema-formats.ts'

const raw = '\u0344\u0f73'
const marks = { raw, escaped: encodeURIComponent(raw) }
/** Milliseconds; to be put in order these marks take hundreds. */
const AT_MOST = 20

test.each([
  ['in letters', `https://a${marks.raw.repeat(4_000)}/`],
  ['escaped', `https://a${marks.escaped.repeat(3_000)}/`],
  ['without slashes', `https:a${marks.raw.repeat(4_000)}/`],
  ['behind slashes that lean back', `https:\\\\a${marks.escaped.repeat(3_000)}\\`],
  ['behind many slashes', `https:///////a${marks.raw.repeat(4_000)}`],
  ['behind slashes with tabs and ends of lines between', `https:\t/\n\r/a${marks.escaped.repeat(3_000)}/`],
  ['behind somebody', `https://somebody@a${marks.raw.repeat(4_000)}?`],
])('[no single request stalls the server] a host of thousands of marks is none: %s', (_, url) => {
  const began = performance.now()
  expect(parseUrl(url)).toBeNull()
  expect(performance.now() - began).toBeLessThan(AT_MOST)
})

test.each([
  'https://example.com/',
  'https://xn--bcher-kva.example/shop?q=%CD%84#top',
  `https://example.com/${encodeURIComponent('\u0344'.repeat(3_000))}`,
  `https://${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example:8443/`,
  'mailto:rosa@example.com',
  'data:text/plain,hello',
])('what others write is read as ever: %s', (url) => {
  expect(parseUrl(url)?.href).toBe(new URL(url).href)
})

test('what is no URL is none', () => {
  for (const text of ['', 'example.com', '/services', '://', 'https://']) expect(parseUrl(text)).toBeNull()
})

test('nor does it pass where a schema asks for one: not as the webhook of a profile, which is taken apart to be signed', () => {
  const host = (length: number) => `https://${'a'.repeat(length)}.example/`
  expect(formatOf('uri')(host(60))).toBe(true)
  expect(formatOf('uri')(host(4_000))).toBe(false)
})
