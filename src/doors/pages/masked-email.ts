/** As much of an address as whoever has it knows it by: links are forwarded, and addresses are not to go along. */
export function maskedEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const [first = ''] = email
  return `${at > 1 ? first : ''}…${email.slice(at)}`
}
