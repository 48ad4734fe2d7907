import { type ParseArgsConfig, parseArgs } from 'node:util'
import { PlainError } from '../infra/util/command-line-error.ts'

/** Parses the arguments of a command. Throws an error with the usage text if the arguments are wrong. */
export function parseArguments<const Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch {
    throw new PlainError(usage)
  }
}

export function onlyFile([file, ...more]: readonly string[], usage: string): string {
  if (!file || more.length > 0) throw new PlainError(usage)
  return file
}
