/** What is repeated to make JSON, or what should have been some, as long as is let in. */
export const piecesOfJson = [
  '[',
  '[]',
  '{',
  '{"a":',
  '"',
  '\\',
  '"\\u0041',
  '[1,',
  '1',
  ' ',
  '\0',
  '\u00e9',
  ',',
  '""',
  '"a":1,',
]
