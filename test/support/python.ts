import { execFileSync } from 'node:child_process'

/**
 * A Python in which the package is installed, if there is one. On a developer's machine the package may be missing. In
 * CI, its absence is a failure, so the tests start the Python that has not got it.
 */
export function pythonWith(name: string): string | undefined {
  const candidates = [process.env.PYTHON_FOR_TESTS ?? '', 'python3']
  const found = candidates.find((python) => {
    try {
      return python !== '' && execFileSync(python, ['-c', `import ${name}`], { stdio: 'ignore' }) !== undefined
    } catch {
      return false
    }
  })
  return found ?? (process.env.CI === 'true' ? 'python3' : undefined)
}
