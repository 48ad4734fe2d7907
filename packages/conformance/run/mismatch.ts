/** The error for a server that does not behave as the check demands. */
export class Mismatch extends Error {
  override name = 'Mismatch'

  constructor(expected: string, found: string) {
    super(`expected ${expected}, found ${found}`)
  }
}

/** The error for a check that cannot run against this server, for example because no service of the catalogue fits. */
export class Skip extends Error {
  override name = 'Skip'
}
