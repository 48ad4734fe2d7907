/** An error for a person at the terminal. The terminal shows only the message of the error, without a stack trace. */
export class PlainError extends Error {}

/** The command lines of one way to run this program: of any command, of the server, and of the server with options. */
type Invocation = [command: string, start: string, startWith: string]

const inRepository: Invocation = ['npm run usp --', 'npm start', 'npm start --']
const withNpx: Invocation = ['npx usp-server', 'npx usp-server', 'npx usp-server']
/** The container image, the systemd unit (`deploy/systemd/usp`) and an installed package have a program `usp`. */
const asProgram: Invocation = ['usp', 'usp serve', 'usp serve']

const byScript: Record<string, Invocation> = { start: inRepository, usp: inRepository, npx: withNpx }
const [command, start, startWith] = byScript[process.env.npm_lifecycle_event ?? ''] ?? asProgram

/** The start of a command line in messages, as the user of this process would type it. */
export const USP = command

/** The command line that starts the server, for messages. */
export const startCommand = (options?: string): string => (options ? `${startWith} ${options}` : start)
