/** The maximum number of characters in an email address by RFC 5321. */
export const LONGEST_EMAIL = 254

/**
 * A reserved domain that receives no mail (RFC 2606). The server uses it for people without an email address or with
 * erased data.
 */
const RESERVED_DOMAIN = '.invalid'

/**
 * The email domain of the invented people in the demo data. RFC 2606 reserves `example.com`, so nobody reads mails to
 * it. The staff pages show these addresses, but the server sends nothing to them.
 */
export const INVENTED_DOMAIN = 'demo.example.com'

export const isInvented = (email: string): boolean => email.toLowerCase().endsWith(`@${INVENTED_DOMAIN}`)

export const isUndeliverable = (email: string): boolean => email.toLowerCase().endsWith(RESERVED_DOMAIN)

/**
 * The syntax of email addresses that forms, schemas and commands accept: ASCII, without quotes or comments. With other
 * forms, one mailbox could have many spellings, and each spelling would have its own limits.
 */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/** Whether the text is an email address. Checks the length first, because the pattern is slow for a long text. */
export const isEmail = (text: string): boolean => text.length <= LONGEST_EMAIL && EMAIL.test(text)

/** Returns the email address in lower case. Returns undefined if the text is not an email address. */
export const readEmail = (text: string): string | undefined => {
  const address = text.trim()
  // The pattern must see the original text, because the conversion to lower case changes the Kelvin sign to an ASCII k.
  return isEmail(address) ? address.toLowerCase() : undefined
}

/**
 * Masks an email address. The owner can recognize the masked address, but another person with a forwarded link cannot
 * learn the full address.
 */
export function maskedEmail(email: string): string {
  const [first = ''] = email
  return `${first}***${email.slice(email.lastIndexOf('@'))}`
}
