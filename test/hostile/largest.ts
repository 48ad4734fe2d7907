import { MAX_SENDER_CHARACTERS } from '../../src/infra/config/mail-server.ts'
import { LONGEST_EMAIL } from '../../src/infra/util/email-address.ts'

/** The longest text that is let in anywhere: the body of a form, and a text of a feed. */
export const ANY_TEXT = 256 * 1024

/**
 * How long a text can be where a pattern looks at it, by file and pattern, for those that could not bear any. Somebody
 * looks at the length first, and here it says who.
 */
export const largest: Record<string, Record<string, number>> = {
  // `isEmail` refuses an address that is longer than any can be.
  'infra/util/email-address.ts': {
    "^[\\w!#$%&'*+/=?^`{|}~-]+(?:\\.[\\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?\\.)+[a-z\\d](?:[a-z\\d-]{0,61}[a-z\\d])?$":
      LONGEST_EMAIL,
  },
  // The operator's own setting, refused at the start where it is longer.
  'infra/config/mail-server.ts': {
    '^(?:[^\\s<>@",;:]+@[^\\s<>@",;:]+|(?:"[^"\\\\\\p{Cc}]+"|[^"<>@,;:\\\\\\p{Cc}]+) <[^\\s<>@",;:]+@[^\\s<>@",;:]+>)$':
      MAX_SENDER_CHARACTERS,
  },
}
