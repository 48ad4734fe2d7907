/** Characters, by RFC 5321. */
export const LONGEST_EMAIL = 254

/** RFC 2606 reserves this domain. The server uses it when a person left no address or was erased. */
const RESERVED_DOMAIN = '.invalid'

export const isUndeliverable = (email: string): boolean => email.toLowerCase().endsWith(RESERVED_DOMAIN)

/**
 * The only address syntax that forms, schemas and commands accept: ASCII, without quotes or comments. The mail library
 * rewrites other forms. One mailbox would then have many spellings, each with separate limits.
 */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/** Checks the length first, since the pattern is slow on a very long text. */
export const isEmail = (text: string): boolean => text.length <= LONGEST_EMAIL && EMAIL.test(text)

/** The address in lower case, or undefined when the text is not an address. */
export const readEmail = (text: string): string | undefined => {
  const address = text.trim()
  // Checks first, since the conversion to lower case turns the Kelvin sign into an ASCII k.
  return isEmail(address) ? address.toLowerCase() : undefined
}

/** Masks an address: its owner recognizes it, but a person with a forwarded link does not learn it. */
export function maskedEmail(email: string): string {
  const [first = ''] = email
  return `${first}***${email.slice(email.lastIndexOf('@'))}`
}
