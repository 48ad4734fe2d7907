import { dateFormat } from '../../../infra/util/formatters.ts'

const format = (options: Intl.DateTimeFormatOptions) => dateFormat('en-US', { ...options, timeZone: 'UTC' })
const long = format({ weekday: 'long', month: 'short', day: 'numeric' })
const short = format({ month: 'short', day: 'numeric' })

/** `Tuesday, Nov 24` */
export const longDateText = (date: string): string => long.format(new Date(date))

/** `Nov 24` */
export const shortDateText = (date: string): string => short.format(new Date(date))
