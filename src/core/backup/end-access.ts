import type pg from 'pg'

/**
 * Ends the browser sessions and links that a backup brings back: some ended after the backup. Permissions of buyers for
 * platforms and assistants end too, because buyers may have revoked them.
 */
export async function endAccess(client: pg.Client): Promise<void> {
  for (const table of ['staff_sessions', 'staff_links', 'sign_in_links', 'guest_codes', 'oauth_state'])
    await client.query(`delete from ${table}`)
}
