/**
 * What each process that a test starts inherits: where programs are, and which planted fault is on (`npm run mutants`).
 */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  const { PATH, PLANTED, PLANTED_SEEN, PLANTED_BY } = process.env
  return Object.fromEntries(
    Object.entries({ PATH, PLANTED, PLANTED_SEEN, PLANTED_BY }).filter(([, value]) => value !== undefined),
  )
}
