import { LONGEST } from '../../src/accounts/sign-in.ts'

/** The longest text that is let in anywhere: the body of a form, and a text of a feed. */
export const ANY_TEXT = 256 * 1024

/**
 * How long a text can be where a pattern looks at it, by file and pattern, for those that could not bear any. Somebody
 * looks at the length first, and here it says who.
 */
export const largest: Record<string, Record<string, number>> = {
  // `signIn` refuses an address that is longer than any can be.
  'accounts/sign-in.ts': { '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$': LONGEST.email },
}
