import { readFileSync } from 'node:fs'
import { DATA_FOLDER } from '../data-folder.ts'

export const LEVELS = ['Core', 'Transactions', 'Events', 'Registry', 'Security', 'Payments'] as const
export type Level = (typeof LEVELS)[number]

export interface Rule {
  id: string
  force: 'MUST' | 'SHOULD' | 'MAY'
  /** The part of a server that the rule is about. */
  level: Level
  /**
   * `wire`: the suite can see over the network whether a server follows the rule. `staff`: a person of the business must
   * act first. `no`: the rule is not visible from outside.
   */
  visibility: 'wire' | 'staff' | 'no'
  /** The newer rule that replaces this one. */
  replacedBy: string | undefined
  source: string
  statement: string
}

/** The rules of the protocol, in the state of the text that the name of the file says. */
export function readRules(): Map<string, Rule> {
  const [, ...lines] = readFileSync(new URL('rules.tsv', DATA_FOLDER), 'utf8').trimEnd().split('\n')
  return new Map(
    lines.map((line) => {
      const [id = '', force, level, visibility, replacedBy, source = '', statement = ''] = line.split('\t')
      const rule = { id, force, level, visibility, replacedBy: replacedBy || undefined, source, statement }
      return [id, rule as Rule]
    }),
  )
}
