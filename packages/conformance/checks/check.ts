import type { Binding } from '../caller/caller.ts'
import type { CheckContext } from '../run/check-context.ts'

export interface Check {
  /** The rules that the check proves, by their ids in `data/rules.tsv`. */
  rules: string[]
  /** What the server must do, as a sentence. */
  title: string
  /** The bindings over which the check runs. */
  bindings: Binding[]
  /** The capabilities without which the check does not apply, such as `services.bookings`. */
  needs: string[]
  /** Whether the check runs after the others, while no other check runs. */
  isAlone: boolean
  /** Whether the platform of the check must be one that no other check used. */
  newPlatform: boolean
  run: (context: CheckContext) => Promise<void>
}

export interface CheckOptions {
  /** Without it, the check runs over both bindings. */
  only?: Binding
  needs?: string[]
  /** True if the check changes the catalogue, or something else that other checks read. */
  isAlone?: boolean
  /** True if the check counts what its platform has, or what is sent to it. */
  newPlatform?: boolean
}

/** Defines one check. `rules` has the ids of the rules, separated by spaces. */
export function check(rules: string, title: string, run: Check['run'], options: CheckOptions = {}): Check {
  const { only, needs = [], isAlone = false, newPlatform = false } = options
  const bindings: Binding[] = only ? [only] : ['rest', 'mcp']
  return { rules: rules.split(' '), title, bindings, needs, isAlone, newPlatform, run }
}
