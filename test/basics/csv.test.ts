import { expect, test } from 'vitest'
import { csv } from '../../src/basics/csv.ts'

test('rows end and cells are quoted as RFC 4180 says', () => {
  expect(
    csv([
      ['a', 'b,c', 'say "no"'],
      ['two\nlines', 1.5, ''],
    ]),
  ).toBe('a,"b,c","say ""no"""\r\n"two\nlines",1.5,\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  '[no formula of others] %j is text to a spreadsheet',
  (text) => {
    expect(csv([[text]]).replace(/^"/, '')).toMatch(/^'/)
  },
)

test('[no formula of others] a number stays one', () => {
  expect(csv([[-12.5, 'x=1']])).toBe('-12.5,x=1\r\n')
})
