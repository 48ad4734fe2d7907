/** An instant as RFC 5545 has it in UTC: `20261201T090000Z`. */
export const stamp = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')
