import { expect, test } from 'vitest'
import { csv } from '../../src/infra/util/write-csv.ts'

test('rows end and every text is quoted as RFC 4180 says', () => {
  expect(
    csv([
      ['a', 'b,c', 'say "no"'],
      ['two\nlines', 1.5, ''],
    ]),
  ).toBe('"a","b,c","say ""no"""\r\n"two\nlines",1.5,""\r\n')
})

test.each(['=1+1', '+1 212', '-1+2', '@SUM(A1)', '\t=1', '\r=1', ' =1', '"=1', '＝1'])(
  '[no formula of others] %j is text to a spreadsheet',
  (text) => {
    expect(csv([[text]])).toMatch(/^"'/)
  },
)

test.each([
  ['a;=1', `"a;'=1"\r\n`],
  ['a,+1', `"a,'+1"\r\n`],
  ['a\t@x', `"a\t'@x"\r\n`],
  ['a\n-1', `"a\n'-1"\r\n`],
  ['a|=1', `"a|'=1"\r\n`],
  ['a; "=1', `"a;' ""=1"\r\n`],
])('[no formula of others] %j has none behind a separator', (text, written) => {
  expect(csv([[text]])).toBe(written)
})

test('[no formula of others] a number stays one, and other texts stay as they are', () => {
  expect(csv([[-12.5, '-60.00', 'x=1', 'A-B', 'a, b; c']])).toBe('-12.5,-60.00,"x=1","A-B","a, b; c"\r\n')
})
