import { omitUndefined } from '../../src/infra/util/object-members.ts'

/**
 * The variables that each process of a test inherits: the folders of programs, and the number of the planted fault that
 * is on (`npm run mutants`).
 */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { PATH, PLANTED, PLANTED_SEEN, PLANTED_BY } = process.env
  return omitUndefined({ PATH, PLANTED, PLANTED_SEEN, PLANTED_BY })
}
