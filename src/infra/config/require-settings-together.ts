import { PlainError } from '../util/terminal-error.ts'

/** Throws an error if some of the settings are set and others are missing, because they work only together. */
export function refuseMissing(names: string[], settings: Record<string, unknown>, hints: Record<string, string>): void {
  const missing = names.filter((name) => settings[name] === undefined)
  if (missing.length > 0) throw new PlainError(missing.map((name) => `${name} is missing: ${hints[name]}.`).join('\n'))
}
