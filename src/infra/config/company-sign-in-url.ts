import type { Config } from './read-config.ts'

export const COMPANY_RETURN_PATH = '/desk/company-sign-in/return'

/**
 * The URL to which the provider of the company sends the browser back. It comes from the settings and never from the
 * `Host` header.
 */
export const companyReturnUrl = ({ baseUrl }: Pick<Config, 'baseUrl'>): string => `${baseUrl}${COMPANY_RETURN_PATH}`
