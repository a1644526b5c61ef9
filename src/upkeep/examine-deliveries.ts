// What the doctor looks at of messages and webhooks: who is waited for, and where they go.

import type { DeliveryChannel } from '../core/delivery.ts'
import { MINUTE } from '../core/time-units.ts'
import type { World } from '../world.ts'
import type { Finding } from './finding.ts'

/** Longer than a sweep and a provider's pause of a minute take. */
const MOST_OVERDUE_MS = 15 * MINUTE

/** What is mended by trying again. The others are about one recipient: nothing of ours is wrong. */
const OURS = ['out_of_tries', 'expired']

export async function examineDeliveries(world: World): Promise<readonly Finding[]> {
  return [
    await examineParked(world),
    await examineOverdue(world),
    ...(await examineProviders(world)),
    await examineMail(world),
    await examineSms(world),
  ]
}

async function examineParked(world: World): Promise<Finding> {
  const rows = await world.db.query(
    `SELECT channel, reason, count(*)::integer AS count,
       channel <> 'webhook' AND reason::text = ANY($1) AS is_ours
     FROM delivery WHERE status = 'parked' AND closed_at IS NULL
     GROUP BY channel, reason ORDER BY channel, reason`,
    [OURS],
  )
  const subject = 'parked deliveries'
  if (rows.length === 0) return { subject, state: 'good', says: 'none' }
  const count = rows.reduce((all, row) => all + row.count, 0)
  const kinds = rows.map((row) => `${row.count} ${row.channel} ${row.reason}`)
  return {
    subject,
    state: rows.some((row) => row.is_ours) ? 'bad' : 'good',
    says: `${count}: ${kinds.join(', ')}`,
    remedy:
      'lamplighter deliveries lists them; lamplighter deliveries retry --channel email --reason out_of_tries has such as these tried again, and lamplighter deliveries close has them wait for nobody.',
  }
}

async function examineOverdue(world: World): Promise<Finding> {
  const now = world.clock.now()
  const rows = await world.db.query(
    `SELECT channel, count(*)::integer AS count, min(due_at) AS oldest
     FROM delivery
     WHERE due_at <= $1 AND (leased_until IS NULL OR leased_until <= $2)
     GROUP BY channel ORDER BY channel`,
    [new Date(now.getTime() - MOST_OVERDUE_MS), now],
  )
  const subject = 'overdue deliveries'
  if (rows.length === 0) return { subject, state: 'good', says: 'none' }
  const kinds = rows.map(
    ({ channel, count, oldest }) => `${count} ${channel}, the oldest due since ${text(oldest)}`,
  )
  return {
    subject,
    state: 'bad',
    says: kinds.join('; '),
    remedy:
      'Start workers, or more of them: lamplighter worker. Where there are many, EMAIL_PER_SECOND and SMS_PER_SECOND say how fast they go.',
  }
}

/** Where nothing goes wrong there is nothing to say. */
async function examineProviders(world: World): Promise<readonly Finding[]> {
  const now = world.clock.now().getTime()
  const rows = await world.db.query(
    `SELECT channel, failures, resting_until_ms FROM provider_pace
     WHERE failures > 0 OR resting_until_ms > $1
     ORDER BY channel`,
    [now],
  )
  return rows.map((row) => finding(row.channel, row.failures, row.resting_until_ms, now))
}

function finding(
  channel: DeliveryChannel,
  failures: number,
  restingUntilMs: number,
  now: number,
): Finding {
  const subject = `provider of ${channel}`
  const until = text(new Date(restingUntilMs))
  if (failures === 0) {
    return { subject, state: 'good', says: `asked for a pause: it rests until ${until}` }
  }
  const rest =
    restingUntilMs > now ? `it is asked again at ${until}` : 'it is asked again by the next message'
  return {
    subject,
    state: 'bad',
    says: `could not be reached, ${failures} in a row; ${rest}`,
    remedy: `Nothing is lost for three days. Look at ${SETTINGS[channel]}, and whether it is up.`,
  }
}

const SETTINGS: Readonly<Record<DeliveryChannel, string>> = {
  email: 'SMTP_URL',
  sms: 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN',
  webhook: 'the endpoint',
}

const OUTBOX = 'kept in the outbox, sent to nobody (lamplighter outbox):'

/** By then somebody relies on it. */
const MANY_UNSENT = 1_000

const UNSENT = `
  SELECT count(*)::integer AS count
  FROM (SELECT FROM outbox_message WHERE channel = $1 LIMIT ${MANY_UNSENT}) m`

async function examineOutbox(
  { db }: World,
  channel: 'email' | 'sms',
  subject: string,
  setting: string,
): Promise<Finding> {
  const [row] = await db.query(UNSENT, [channel])
  const says = `${OUTBOX} ${setting} is not set`
  if (row?.count < MANY_UNSENT) return { subject, state: 'good', says }
  return {
    subject,
    state: 'odd',
    says: `${says}, and ${MANY_UNSENT} or more lie there`,
    remedy: `Set ${setting}, so that people get what is theirs; /admin/outbox shows what lies there.`,
  }
}

async function examineMail(world: World): Promise<Finding> {
  const subject = 'e-mail'
  if (world.mailer.kind === 'outbox') return examineOutbox(world, 'email', subject, 'SMTP_URL')
  const { mailFrom } = world.config
  if (/@localhost>?$/i.test(mailFrom)) {
    return {
      subject,
      state: 'bad',
      says: `is sent from ${mailFrom}, which nobody can answer and few will take`,
      remedy: 'Set MAIL_FROM to an address of your own domain.',
    }
  }
  return { subject, state: 'good', says: `is sent from ${mailFrom}` }
}

async function examineSms(world: World): Promise<Finding> {
  const subject = 'text messages'
  if (world.texter.kind === 'outbox') {
    return examineOutbox(world, 'sms', subject, 'TWILIO_ACCOUNT_SID')
  }
  return { subject, state: 'good', says: 'are sent by Twilio' }
}

function text(instant: Date): string {
  return instant.toISOString()
}
