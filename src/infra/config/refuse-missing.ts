import { PlainError } from '../util/plain-error.ts'

/** Where one setting is of no use without the others. */
export function refuseMissing(names: string[], given: Record<string, unknown>, hints: Record<string, string>): void {
  const missing = names.filter((name) => given[name] === undefined)
  if (missing.length > 0) throw new PlainError(missing.map((name) => `${name} is missing: ${hints[name]}.`).join('\n'))
}
