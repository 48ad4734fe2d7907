/** An error for a person at the terminal. The terminal shows only the message of the error, without a stack trace. */
export class PlainError extends Error {}

interface Invocation {
  command: string
  start(options?: string): string
}

const inRepository: Invocation = {
  command: 'npm run usp --',
  start: (options) => (options ? `npm start -- ${options}` : 'npm start'),
}
const withNpx: Invocation = {
  command: 'npx usp-server',
  start: (options = '') => `npx usp-server ${options}`.trim(),
}
/** The container image, the systemd unit (`deploy/systemd/usp`) and an installed package have a program `usp`. */
const asProgram: Invocation = { command: 'usp', start: (options = '') => `usp serve ${options}`.trim() }

const byScript: Record<string, Invocation> = { start: inRepository, usp: inRepository, npx: withNpx }
const invocation = byScript[process.env.npm_lifecycle_event ?? ''] ?? asProgram

/** The start of a command line in messages, as the user of this process would type it. */
export const USP = invocation.command

/** The command line that starts the server, for messages. */
export const startCommand = invocation.start
