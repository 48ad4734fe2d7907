/** An error for a person at the terminal. The terminal shows only the message of the error, without a stack trace. */
export class PlainError extends Error {}

/**
 * The start of a command line in messages. In a copy of the repository, people run commands with npm. The container
 * image and the systemd unit have a program `usp` (`deploy/systemd/usp`).
 */
export const USP = ['start', 'usp'].includes(process.env.npm_lifecycle_event ?? '') ? 'npm run usp --' : 'usp'
