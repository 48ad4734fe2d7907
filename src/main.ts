#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { PlainError } from './plain-error.ts'

type Command = { run(args: string[]): Promise<void> }

const commands: Record<string, { does: string; load(): Promise<Command> }> = {
  serve: { does: 'start the server (npm start)', load: () => import('./cli/serve.ts') },
  apply: { does: 'FILE [--dry-run]: bring the server to a business definition', load: () => import('./cli/apply.ts') },
  migrate: { does: 'bring the database to the newest schema', load: () => import('./cli/migrate.ts') },
  'mcp-stdio': { does: 'offer the tools over standard input and output', load: () => import('./cli/mcp-stdio.ts') },
}

const usage = `Usage: usp COMMAND

${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(10)} ${does}`)
  .join('\n')}`

enableCompileCache()
try {
  const [name = '', ...args] = process.argv.slice(2)
  const command = commands[name]
  if (!command) throw new PlainError(name ? `There is no command ${name}.\n\n${usage}` : usage)
  await (await command.load()).run(args)
} catch (error) {
  console.error(error instanceof PlainError ? error.message : error)
  process.exitCode = 1
}
