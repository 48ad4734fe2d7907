/** An error for the person at the terminal, which shows its message without a stack trace. */
export class PlainError extends Error {}

/**
 * The start of a command line in messages. A checkout runs commands through npm. The image and the systemd unit have a
 * program `usp` (deploy/systemd/usp).
 */
export const USP = ['start', 'usp'].includes(process.env.npm_lifecycle_event ?? '') ? 'npm run usp --' : 'usp'
