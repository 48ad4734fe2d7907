/** Masks an address: its owner recognizes it, but a person with a forwarded link does not learn it. */
export function maskedEmail(email: string): string {
  const [first = ''] = email
  return `${first}***${email.slice(email.lastIndexOf('@'))}`
}
