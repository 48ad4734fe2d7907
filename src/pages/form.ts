/** What a browser sent. With a NUL character in it the JSON it is kept in could not be searched any more. */
export const readForm = (body: string): URLSearchParams =>
  new URLSearchParams([...new URLSearchParams(body)].map(([name, text]) => [name, text.replaceAll('\0', '')]))

/** So much of a text as there is room for, the last character whole. */
export const upTo = (most: number, text: string): string => text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
