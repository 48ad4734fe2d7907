/** As much of an address as whoever has it knows it by: links are forwarded, and addresses are not to go along. */
export function maskedEmail(email: string): string {
  const [first = ''] = email
  return `${first}***${email.slice(email.lastIndexOf('@'))}`
}
