import { readFileSync } from 'node:fs'
import { DATA_FOLDER } from '../data-folder.ts'

export const LEVELS = ['Core', 'Transactions', 'Events', 'Registry', 'Security', 'Payments'] as const
export type Level = (typeof LEVELS)[number]

export interface Rule {
  id: string
  force: 'MUST' | 'SHOULD' | 'MAY'
  /** The conformance level that contains the rule. */
  level: Level
  /**
   * `wire`: the suite can check the rule over the network. `staff`: the staff of the business must act first. `no`: a
   * client cannot observe the rule.
   */
  visibility: 'wire' | 'staff' | 'no'
  /** The id of the newer rule that replaces this rule. */
  replacedBy: string | undefined
  source: string
  statement: string
}

/** Reads the rules of the protocol, by their ids. */
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
