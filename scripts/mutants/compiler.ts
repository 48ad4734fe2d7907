import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { API } from 'typescript/unstable/sync'
import type { Fault } from './fault.ts'
import { findFaults } from './find-faults.ts'

/**
 * The codes of compiler errors about unused names. A fault can remove the only use of an import, which does not matter
 * here.
 */
const UNUSED = new Set([6133, 6192, 6196, 6198])

/**
 * Opens a copy of the repository in the TypeScript compiler. The compiler then checks whether the code with a fault
 * compiles.
 */
export function openCompiler(folder: string) {
  const config = join(folder, 'tsconfig.json')
  const compiler = new API({ cwd: folder })
  let snapshot = compiler.updateSnapshot({ openProjects: [config] })
  const program = () => {
    const project = snapshot.getProject(config)
    if (!project) throw new Error(`${config} cannot be read`)
    return project.program
  }
  const write = (path: string, text: string) => {
    writeFileSync(path, text)
    snapshot.dispose()
    snapshot = compiler.updateSnapshot({ fileChanges: { changed: [path] } })
  }
  return {
    faultsIn(file: string): Fault[] {
      const source = program().getSourceFile(join(folder, file))
      if (!source) throw new Error(`${file} is not part of the program`)
      return findFaults(source, file)
    },
    lets({ file, from, to, changed }: Fault): boolean {
      const path = join(folder, file)
      const text = readFileSync(path, 'utf8')
      write(path, text.slice(0, from) + changed + text.slice(to))
      try {
        const diagnostics = [...program().getSyntacticDiagnostics(path), ...program().getSemanticDiagnostics(path)]
        return diagnostics.every(({ code }) => UNUSED.has(code))
      } finally {
        write(path, text)
      }
    },
    close: () => compiler.close(),
  }
}
