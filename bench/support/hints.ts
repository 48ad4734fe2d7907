import { setTimeout as pass } from 'node:timers/promises'
import type pg from 'pg'

/**
 * Makes the server compute all availability hints after its next start, and start again after each end, as if every
 * booking had changed. A database sequence counts the computed hints.
 */
export async function startHintsOverAndOver(db: pg.Client): Promise<void> {
  await db.query(`
    create sequence hints_made;
    create function count_hint() returns trigger language plpgsql as $$
      begin perform nextval('hints_made'); return null; end $$;
    create trigger count_hint after update of hint_basis on services for each row
      when (new.hint_basis is not null) execute function count_hint();

    create function all_hints_are_due() returns trigger language plpgsql as $$
      begin
        update services set hint_basis = null;
        -- Not a moment later than when the server looks again, whose clock has milliseconds.
        new.next_at := now() - interval '1 second';
        return new;
      end $$;
    create trigger all_hints_are_due before update on housekeeping for each row
      when (new.job = 'refresh hints' and new.leased_until is null) execute function all_hints_are_due();

    update services set hint_basis = null;
    delete from housekeeping where job = 'refresh hints'`)
}

export async function countHints(db: pg.Client): Promise<number> {
  const { rows } = await db.query(
    'select case when is_called then last_value else 0 end::integer as made from hints_made',
  )
  return rows[0].made
}

/** Waits until the server has computed all hints once. After that, the server computes them again. */
export async function untilHintsAreMade(db: pg.Client, all: number): Promise<void> {
  for (const end = performance.now() + 60_000; (await countHints(db)) < all; await pass(100))
    if (performance.now() > end) throw new Error(`Not all of ${all} hints were made within a minute`)
}
