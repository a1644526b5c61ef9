// What the doctor looks at of the endpoints of merchants. Who mends them is the merchant; who runs
// the service may want to tell him.

import { after, HOUR } from '../core/time-units.ts'
import type { World } from '../world.ts'
import { type Finding, findingsOf, odd } from './finding.ts'
import { counted, lapse } from './words.ts'

/** A deploy that went wrong is over by then. */
const LONG_FAILING_MS = HOUR

const ENDPOINTS = `
  SELECT count(*) FILTER (WHERE status = 'active')::integer AS active,
    count(*) FILTER (WHERE status = 'disabled' AND disabled_reason IS NOT NULL)::integer
      AS disabled,
    count(*) FILTER (WHERE status = 'active' AND failing_since < $1)::integer AS failing,
    min(failing_since) FILTER (WHERE status = 'active') AS since
  FROM webhook WHERE deleted_at IS NULL`

export async function examineWebhooks({ db, clock }: World): Promise<readonly Finding[]> {
  const now = clock.now()
  const [row] = await db.query(ENDPOINTS, [after(now, -LONG_FAILING_MS)])
  const { active = 0, disabled = 0, failing = 0, since } = row ?? {}
  return findingsOf('webhooks', `${counted(active, 'endpoint')}, and all are well`, [
    failing > 0
      ? odd(
          `${failing} of ${counted(active, 'endpoint')} ${failing === 1 ? 'takes' : 'take'} nothing, the longest for ${lapse(now.getTime() - since.getTime())}; after 5 days they are disabled`,
          'lamplighter deliveries --channel webhook says what they answer: tell their merchants.',
        )
      : undefined,
    disabled > 0
      ? odd(
          `${counted(disabled, 'endpoint was', 'endpoints were')} disabled after nothing but failures`,
          'Their teams got a letter. PUT /webhook/{id} with status active takes one up again, and a replay makes up for what was missed.',
        )
      : undefined,
  ])
}
