// The day of a run, by the clock of its schedule. Its invoice is due on that day, whatever the zone
// of the account, and whatever zone the schedule has by now.

import type { Row } from '../db/gathered.ts'

/** The column of an invoice `v`. Null unless it is due at the instant of its run. */
export const RUN_DAY = `(
      SELECT coalesce(r.ran_on, (r.occurs_at AT TIME ZONE s.timezone)::date)::text
      FROM schedule_run r
      JOIN schedule s ON s.account_id = r.account_id AND s.id = r.schedule_id
      WHERE r.account_id = v.account_id AND r.schedule_id = v.schedule_id
        AND r.occurs_at = v.pay_by
    ) AS run_day`

/** The first instant of the day in UTC. */
export function readRunDay({ run_day: day }: Row): Date | null {
  return day === null ? null : new Date(`${day}T00:00:00Z`)
}
