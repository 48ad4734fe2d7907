/** An error for a person at the terminal. The terminal shows only the message of the error, without a stack trace. */
export class PlainError extends Error {}

/**
 * The command lines for one way to run this program, such as npm or npx: for any command, for the server, and for the
 * server with options.
 */
type Invocation = [command: string, start: string, startWith: string]

const inRepository: Invocation = ['npm run usp --', 'npm start', 'npm start --']
const withNpx: Invocation = ['npx usp-server', 'npx usp-server', 'npx usp-server']
/**
 * The command lines with the program `usp`. The container image, the systemd unit and an installed package contain this
 * program.
 */
const asProgram: Invocation = ['usp', 'usp serve', 'usp serve']

const byScript: Record<string, Invocation> = { start: inRepository, usp: inRepository, npx: withNpx }
const [command, start, startWith] = byScript[process.env.npm_lifecycle_event ?? ''] ?? asProgram

/**
 * The start of each command line in messages, such as `npx usp-server`. It depends on how the user started this
 * process.
 */
export const USP = command

/** The command line that starts the server, for messages. */
export const startCommand = (options?: string): string => (options ? `${startWith} ${options}` : start)
