import type pg from 'pg'

/**
 * Ends the sessions and links that a backup brings back: some were ended since it was taken. What buyers let platforms and
 * assistants do ends as well, because it may have been taken back.
 */
export async function endAccess(client: pg.Client): Promise<void> {
  for (const table of ['staff_sessions', 'staff_links', 'sign_in_links', 'guest_codes', 'oauth_state'])
    await client.query(`delete from ${table}`)
}
