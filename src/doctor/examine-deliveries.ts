// Examines messages and webhooks: what needs a person, what is late, and where messages go.

import { after, HOUR, MINUTE } from '../core/time-units.ts'
import type { Row } from '../db/gathered.ts'
import { IS_NOT_PAUSED } from '../upkeep/due-by-kind.ts'
import { counted, lapse } from '../upkeep/words.ts'
import type { World } from '../world.ts'
import { bad, type Finding, findingsOf, odd } from './finding.ts'

/** A sweep, and a provider's pause of a minute, take less. */
const MOST_OVERDUE_MS = 15 * MINUTE

/** Another try helps with these. All other reasons lie with one recipient. */
const OUR_REASONS = ['out_of_tries', 'expired']

/** With so many messages in the outbox, people rely on getting them. */
const MANY_UNSENT = 1_000

/** A bad deployment of the merchant's is over by then. */
const LONG_FAILING_MS = HOUR

export async function examineDeliveries(world: World): Promise<readonly Finding[]> {
  const { mailFrom } = world.config
  const { mailer, texter } = world
  return [
    await examineParked(world),
    ...(await examineOverdue(world)),
    ...(await examineProviders(world)),
    ...(mailer.kind === 'outbox'
      ? await examineOutbox(world, 'e-mail', 'email', 'SMTP_URL')
      : findingsOf('e-mail', `is sent from ${mailFrom}`, [
          bad(
            /@localhost>?$/i.test(mailFrom),
            `is sent from ${mailFrom}, which no recipient can answer and most mail servers refuse`,
            'Set MAIL_FROM to an address of your own domain.',
          ),
        ])),
    ...(texter.kind === 'outbox'
      ? await examineOutbox(world, 'text messages', 'sms', 'TWILIO_ACCOUNT_SID')
      : findingsOf('text messages', 'are sent by Twilio', [])),
  ]
}

async function examineParked(world: World): Promise<Finding> {
  const rows = await world.db.query(
    `SELECT channel, reason, count(*)::integer AS count,
       channel <> 'webhook' AND reason::text = ANY($1) AS is_ours
     FROM delivery WHERE status = 'parked' AND closed_at IS NULL
     GROUP BY channel, reason ORDER BY channel, reason`,
    [OUR_REASONS],
  )
  const subject = 'parked deliveries'
  if (rows.length === 0) return { subject, state: 'good', says: 'none' }
  const count = rows.reduce((all, row) => all + row.count, 0)
  const kinds = rows.map((row) => `${row.count} ${row.channel} ${row.reason}`)
  return {
    subject,
    state: rows.some((row) => row.is_ours) ? 'bad' : 'good',
    says: `${count}: ${kinds.join(', ')}`,
    remedy: `lamplighter deliveries lists them. ${retryText(rows)}To dismiss them: lamplighter deliveries close.`,
  }
}

/** A retry sends nothing to an address that is stopped. */
function retryText(rows: readonly Row[]): string {
  const some = rows.find(({ reason }) => reason !== 'suppressed' && reason !== 'opted_out')
  if (some === undefined) return 'deliveries stopped lists the addresses that get nothing. '
  const { channel, reason } = some
  return `To retry some: lamplighter deliveries retry --channel ${channel} --reason ${reason}. `
}

async function examineOverdue({ db, clock }: World): Promise<readonly Finding[]> {
  const now = clock.now()
  const rows = await db.query(
    `SELECT channel, count(*)::integer AS count, min(due_at) AS oldest
     FROM delivery
     WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $2)
       AND ${IS_NOT_PAUSED}
     GROUP BY channel ORDER BY channel`,
    [after(now, -MOST_OVERDUE_MS), now],
  )
  const kinds = rows.map(
    ({ channel, count, oldest }) =>
      `${count} ${channel}, the oldest due since ${oldest.toISOString()}`,
  )
  return findingsOf('overdue deliveries', 'none', [
    bad(
      rows.length > 0,
      kinds.join('; '),
      'Start workers, or more of them: lamplighter worker. EMAIL_PER_SECOND and SMS_PER_SECOND limit how fast many go out.',
    ),
  ])
}

/** What the provider said is kept with the messages that wait for it. */
const PROVIDERS = `
  SELECT channel, failures, resting_until_ms,
    (SELECT last_error FROM delivery d
     WHERE d.channel = p.channel AND due_at IS NOT NULL AND last_error IS NOT NULL
     ORDER BY updated_at DESC LIMIT 1) AS last_error
  FROM provider_pace p
  WHERE failures > 0 OR resting_until_ms > $1
  ORDER BY channel`

const PROVIDER_SETTINGS: Readonly<Record<string, string>> = {
  email: 'SMTP_URL',
  sms: 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN',
  webhook: 'the endpoint',
}

/** Says nothing about a provider that takes its messages. */
async function examineProviders({ db, clock }: World): Promise<readonly Finding[]> {
  const now = clock.now().getTime()
  const rows = await db.query(PROVIDERS, [now])
  return rows.flatMap(
    ({ channel, failures, resting_until_ms: restingUntilMs, last_error: lastError }) => {
      const until = new Date(restingUntilMs).toISOString()
      const last = lastError === null ? '' : `; the last error: ${lastError}`
      const next = restingUntilMs > now ? `at ${until}` : 'by the next message'
      return findingsOf(`provider of ${channel}`, `asked for a pause: it rests until ${until}`, [
        bad(
          failures > 0,
          `could not be reached, ${failures} in a row; it is asked again ${next}${last}`,
          `Nothing is lost for three days. Check ${PROVIDER_SETTINGS[channel]}, and whether it is up.`,
        ),
      ])
    },
  )
}

const UNSENT = `
  SELECT count(*)::integer AS count
  FROM (SELECT FROM outbox_message WHERE channel = $1 LIMIT ${MANY_UNSENT}) m`

async function examineOutbox(
  { db }: World,
  subject: string,
  channel: 'email' | 'sms',
  setting: string,
): Promise<readonly Finding[]> {
  const [row] = await db.query(UNSENT, [channel])
  const says = `kept in the outbox and not sent (lamplighter outbox): ${setting} is not set`
  return findingsOf(subject, says, [
    odd(
      row?.count >= MANY_UNSENT,
      `${says}, and ${MANY_UNSENT} or more lie there`,
      `Set ${setting}, so that messages reach their recipients; /admin/outbox shows those that are kept.`,
    ),
  ])
}

const ENDPOINTS = `
  SELECT count(*) FILTER (WHERE status = 'active')::integer AS active,
    count(*) FILTER (WHERE status = 'disabled' AND disabled_reason IS NOT NULL)::integer
      AS disabled,
    count(*) FILTER (WHERE status = 'active' AND failing_since < $1)::integer AS failing,
    min(failing_since) FILTER (WHERE status = 'active') AS since
  FROM webhook WHERE deleted_at IS NULL`

/** Merchants mend their endpoints themselves; the operator may want to contact them. */
export async function examineWebhooks({ db, clock }: World): Promise<readonly Finding[]> {
  const now = clock.now()
  const [row = {}] = await db.query(ENDPOINTS, [after(now, -LONG_FAILING_MS)])
  const { active = 0, disabled = 0, failing = 0 } = row
  const failingFor = lapse(now.getTime() - (row.since ?? now).getTime())
  return findingsOf('webhooks', `${counted(active, 'endpoint')}, and all are well`, [
    odd(
      failing > 0,
      `${failing} of ${counted(active, 'endpoint')} ${failing === 1 ? 'takes' : 'take'} nothing, the longest for ${failingFor}; after 5 days they are disabled`,
      'lamplighter deliveries --channel webhook shows what they answer: contact their merchants.',
    ),
    odd(
      disabled > 0,
      `${counted(disabled, 'endpoint was', 'endpoints were')} disabled: failed for days, or answered 410`,
      'Teams with an e-mail address were told. PUT /webhook/{id} with status active enables one again, and a replay sends the events that it missed.',
    ),
  ])
}
