import { PlainError } from '../util/command-line-error.ts'

/**
 * Throws an error if one of these settings is missing. Callers use this function for settings that work only together.
 */
export function refuseMissing(names: string[], settings: Record<string, unknown>, hints: Record<string, string>): void {
  const missing = names.filter((name) => settings[name] === undefined)
  if (missing.length > 0) throw new PlainError(missing.map((name) => `${name} is missing: ${hints[name]}.`).join('\n'))
}
