import addFormats from 'ajv-formats'
import { formatNames } from '../../src/protocol/json-schema-formats.ts'
import { documents } from '../../src/protocol/json-schemas.ts'
import { compile } from '../../src/protocol/schema-validator.ts'
import { operations } from '../../src/server/all-operations.ts'
import { type Attack, attacksOn } from './attacks.ts'
import { ANY_TEXT } from './largest.ts'
import type { Subject } from './measure.ts'

/** What formats that are no single pattern look for. */
const leads = ['', 'https://', 'https://a/', 'https://[', 'a:', '2026-01-01T', '2026-01-01T10:00:00.', 'P', 'PT']
const pieces = ['a', '1', 'a.', '1.', '1:', '%41', '%', '/', '//', '@', ':', '?', '#', 't', ' ', '-', '1H']

/** Every pattern and every format that a schema names, as the validator tests for it. */
export const subjects = (): Record<string, Subject> =>
  Object.fromEntries(
    [...schemaPatterns.map(ofPattern), ...formatNames.map(ofFormat)].flatMap(({ name, schema, attacks }) => {
      const validator = compile(schema)
      return attacks.map(({ what, text }): [string, Subject] => [
        `${name} on ${what}`,
        {
          largest: ANY_TEXT,
          prepare(size) {
            const given = text(Math.ceil(size))
            return () => validator(given)
          },
        },
      ])
    }),
  )

const schemaPatterns = [
  ...new Set([...patternsIn([...documents.values()]), ...patternsIn(operations.map(({ input }) => input))]),
]

function* patternsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [keyword, child] of Object.entries(value)) {
    if (keyword === 'pattern' && typeof child === 'string') yield child
    else yield* patternsIn(child)
  }
}

const ofPattern = (pattern: string) => ({
  name: `pattern ${pattern}`,
  schema: { type: 'string', pattern },
  attacks: attacksOn({ file: '', source: pattern, flags: 'u' }),
})

function ofFormat(format: (typeof formatNames)[number]) {
  const known = addFormats.default.get(format)
  return {
    name: `format ${format}`,
    schema: { type: 'string', format },
    attacks: [
      ...leads.flatMap((lead) => pieces.map((piece) => after(lead, piece))),
      ...(known instanceof RegExp ? attacksOn({ file: '', source: known.source, flags: known.flags }) : []),
    ],
  }
}

const after = (lead: string, piece: string): Attack => ({
  what: JSON.stringify([lead, piece]),
  text: (length) => `${lead}${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length - 1).concat('\0'),
})
