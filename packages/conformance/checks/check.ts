import type { Binding } from '../caller/caller.ts'
import type { CheckContext } from '../run/check-context.ts'

export interface Check {
  /** The ids of the rules that the check proves. The file `data/rules.tsv` lists all rules. */
  rules: string[]
  /** A sentence that says what the server must do. */
  title: string
  /** The bindings that the check can use: REST, MCP or both. */
  bindings: Binding[]
  /** Whether the check runs over one binding only: over REST, or over MCP if the business does not offer REST. */
  runsOnce: boolean
  /**
   * Capabilities that the check needs, such as `services.bookings`. If the business lacks one, the suite skips the
   * check.
   */
  needs: string[]
  /** Whether the check runs alone, after the other checks. */
  isAlone: boolean
  /** Whether the check needs a platform that no other check has used. */
  newPlatform: boolean
  /** Whether the check is new in this version of the suite. If a new check fails, the server gets only a warning. */
  isPending: boolean
  run: (context: CheckContext) => Promise<void>
}

export interface CheckOptions {
  /** The only binding that the check can use. The default is both bindings. */
  only?: Binding
  /** True if the binding makes no difference to the check, so the check runs over one of them only. */
  once?: boolean
  needs?: string[]
  /** True if the check changes the catalogue, or other data that other checks read. */
  isAlone?: boolean
  /** True if the check counts the holds, bookings or events of its platform. */
  newPlatform?: boolean
  /**
   * True in the first version with this check. A failure is then only a warning, so an update of the suite takes no
   * level away.
   */
  isPending?: boolean
}

/** Defines one check. The text `rules` contains the ids of its rules, separated by spaces. */
export function check(rules: string, title: string, run: Check['run'], options: CheckOptions = {}): Check {
  const { only, once: runsOnce = false, needs = [], isAlone = false, newPlatform = false, isPending = false } = options
  const bindings: Binding[] = only ? [only] : ['rest', 'mcp']
  return { rules: rules.split(' '), title, bindings, runsOnce, needs, isAlone, newPlatform, isPending, run }
}
