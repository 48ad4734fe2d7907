/** An instant in the UTC format of RFC 5545: `20261201T090000Z`. */
export const icsTimestamp = (at: Date): string => at.toISOString().replace(/[-:]|\.\d+/g, '')
