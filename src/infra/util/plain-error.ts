/** An error for the person at the terminal, which shows its message without a stack trace. */
export class PlainError extends Error {}
