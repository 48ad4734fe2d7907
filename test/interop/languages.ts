import { mkdtempSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Command, mustRun } from './tools.ts'

export const here = import.meta.dirname
export const node = resolve('node_modules/.bin/node')
export const python = process.env.INTEROP_PYTHON ?? 'python3'
export const newFolder = () => mkdtempSync(join(tmpdir(), 'usp-interop-'))

export async function inPython(file: string, module: string): Promise<Command> {
  await mustRun([python, '-c', `import ${module}`])
  return [python, join(here, 'python', file)]
}

export const go = (...args: string[]) =>
  mustRun(['go', ...args], {
    cwd: join(here, 'go'),
    env: { ...process.env, GOPROXY: 'off', GOFLAGS: '-mod=readonly' },
  })

export async function inGo(name: string): Promise<Command> {
  const program = join(newFolder(), name)
  await go('build', '-o', program, `./${name}`)
  return [program]
}

const javaLibraries = join(here, 'java/target/dependency')

/** Java compiles a program of one file at its start. */
export async function inJava(file: string): Promise<Command> {
  await access(javaLibraries)
  await mustRun(['java', '-version'])
  return ['java', '-cp', join(javaLibraries, '*'), join(here, 'java', file)]
}

/** Compiles a program of several files, and the used files of the folder `sources`. */
export async function inCompiledJava(name: string, sources: string): Promise<Command> {
  await access(javaLibraries)
  const classes = newFolder()
  const libraries = join(javaLibraries, '*')
  const path = `${join(here, 'java')}:${sources}`
  const options = ['-encoding', 'UTF-8', '-d', classes, '-cp', libraries, '-sourcepath', path]
  await mustRun(['javac', ...options, join(here, 'java', `${name}.java`)])
  return ['java', '-cp', `${classes}:${libraries}`, name]
}

export async function inRust(name: string): Promise<Command> {
  const folder = join(here, 'rust')
  await mustRun(['cargo', 'build', '--locked', '--offline', '--quiet', '--bin', name], { cwd: folder })
  return [join(folder, 'target/debug', name)]
}
