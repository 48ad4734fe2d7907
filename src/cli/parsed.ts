import { type ParseArgsConfig, parseArgs } from 'node:util'
import { PlainError } from '../infra/util/plain-error.ts'

/** What a command was given; whoever gives it anything else is told what it takes. */
export function parsed<const Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch {
    throw new PlainError(usage)
  }
}

/** The one file that it is about. */
export function onlyFile([file, ...more]: readonly string[], usage: string): string {
  if (!file || more.length > 0) throw new PlainError(usage)
  return file
}
