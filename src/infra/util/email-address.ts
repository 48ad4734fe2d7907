/** No address is longer (RFC 5321). */
export const LONGEST_EMAIL = 254

/** No domain ends in it (RFC 2606): it stands in where somebody gave no address, or is forgotten. */
const NOWHERE = '.invalid'

/** Whether nothing is ever received there. */
export const leadsNowhere = (email: string): boolean => email.toLowerCase().endsWith(NOWHERE)

/**
 * The one form of an address that forms, schemas and commands take: ASCII, without quotes or comments. The mail library rewrites other
 * forms: one mailbox would have many spellings, and each would have its own limit.
 */
const EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

/** The length is checked first: a pattern on an endless text takes too long. */
export const isEmail = (text: string): boolean => text.length <= LONGEST_EMAIL && EMAIL.test(text)

/** The address that is mailed to, in lower case; undefined where the text is no address. */
export const readEmail = (text: string): string | undefined => {
  const address = text.trim()
  // Before letters are changed: the Kelvin sign is a k in lower case.
  return isEmail(address) ? address.toLowerCase() : undefined
}
