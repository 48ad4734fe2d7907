import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { verify } from '../../src/core/ledger/verify-ledger.ts'
import { businessWith, service } from '../support/definitions.ts'
import { onBothDesks, testShop } from '../support/desk.ts'
import { tableContents } from '../support/table-contents.ts'

const faults = [
  ['serialization failure (40001) at its row', '40001', 'immediate'],
  ['serialization failure (40001) at the COMMIT', '40001', 'deferred'],
  ['deadlock (40P01) at its row', '40P01', 'immediate'],
] as const

await onBothDesks(
  () => testShop(businessWith([service('svc_one')])),
  (desk, shop) => {
    const { db } = shop.runtime
    const repliesTo = (key: string) => db.selectFrom('replies').select('key').where('key', '=', key).execute()

    /** The next booking that is written meets this, and none after it: what a sequence counts is not rolled back. */
    const failOnce = (sqlState: string, when: string) =>
      sql
        .raw(`
          drop trigger if exists fail_once on bookings;
          drop sequence if exists faults;
          create sequence faults;
          create or replace function fail_once() returns trigger language plpgsql as $$
            begin
              if nextval('faults') = 1 then raise 'made to fail' using errcode = '${sqlState}'; end if;
              return null;
            end $$;
          create constraint trigger fail_once after insert on bookings deferrable initially ${when}
            for each row execute function fail_once()`)
        .execute(db)

    test.each(faults)(
      '[nothing is kept of a change that was not] a booking that meets a %s is to be tried again, leaves nothing, and is made once under its key',
      async (_, sqlState, when) => {
        const [slot] = await desk.slots('svc_one')
        const before = await tableContents(db)
        const idempotencyKey = randomUUID()
        const book = () => desk.book(slot, {}, { idempotencyKey })
        await failOnce(sqlState, when)

        const refused = await book()
        expect(refused.code).toBe('service_unavailable')
        if (desk.binding === 'REST')
          expect([refused.status, refused.headers['retry-after'], refused.data.detail]).toEqual([
            ...[503, '1', 'Another call changed the same data. Nothing was done; try again.'],
          ])
        expect(await repliesTo(idempotencyKey)).toEqual([])
        expect(await tableContents(db)).toEqual(before)

        const done = await book()
        expect([done.code, done.headers['idempotency-replayed']]).toEqual([undefined, undefined])
        const again = await book()
        expect(again.data).toEqual(done.data)
        if (desk.binding === 'REST') expect(again.headers['idempotency-replayed']).toBe('true')
        expect(await repliesTo(idempotencyKey)).toHaveLength(1)
        const { bookings = [] } = await tableContents(db)
        expect(bookings).toHaveLength((before.bookings ?? []).length + 1)
        expect((await verify(db, shop.time.now)).findings).toEqual({ listed: [], count: 0 })
      },
    )
  },
)
