/** An error that is written for the person at the terminal: its message is printed alone, without a stack. */
export class PlainError extends Error {}
