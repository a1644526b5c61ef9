// Checks where messages go, and whether providers and the endpoints of merchants accept them.

import { counted } from '../core/counts.ts'
import { LONG_FAILING_MS } from '../core/delivery.ts'
import { after } from '../core/time-units.ts'
import { lapse } from '../upkeep/shown-figures.ts'
import { type Check, fault, warning } from './check.ts'

export const checkMessages: Check = ({ config: { mailFrom }, mailer, texter }) => {
  const isMailed = mailer.kind !== 'outbox'
  const mail = isMailed ? `sent from ${mailFrom}` : kept('SMTP_URL')
  const texts = texter.kind === 'outbox' ? kept('TWILIO_ACCOUNT_SID') : 'sent by Twilio'
  const problems = [
    isMailed &&
      /@localhost>?$/i.test(mailFrom) &&
      fault(
        `e-mail is ${mail}, which no recipient can answer and most mail servers refuse`,
        'Set MAIL_FROM to an address of your own domain.',
      ),
  ]
  return { subject: 'messages', ok: `e-mail is ${mail}; text messages are ${texts}`, problems }
}

function kept(setting: string): string {
  return `kept in the outbox (lamplighter outbox), since ${setting} is not set`
}

/** The provider's error is kept with the messages that wait for it. */
const AWAY = `
  SELECT channel, failures, resting_until_ms AS until_ms,
    (SELECT '; the last error: ' || last_error FROM delivery d
     WHERE d.channel = p.channel AND due_at IS NOT NULL AND last_error IS NOT NULL
     ORDER BY updated_at DESC LIMIT 1) AS last
  FROM provider_pace p WHERE failures > 0 ORDER BY channel`

const SETTINGS: Readonly<Record<string, string>> = {
  email: 'SMTP_URL',
  sms: 'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN',
}

export const checkProviders: Check = async ({ db }) => {
  const problems = (await db.query(AWAY)).map(({ channel, failures, until_ms: untilMs, last }) =>
    fault(
      `${channel} failed ${failures} in a row, and is asked again after ${new Date(untilMs).toISOString()}${last ?? ''}`,
      `Nothing is lost for three days. Check ${SETTINGS[channel]}, and whether it is up.`,
    ),
  )
  return { subject: 'providers', problems }
}

const ENDPOINTS = `
  SELECT count(*) FILTER (WHERE status = 'active')::integer AS active,
    count(*) FILTER (WHERE status = 'disabled' AND disabled_reason IS NOT NULL)::integer
      AS disabled,
    count(*) FILTER (WHERE status = 'active' AND failing_since < $1)::integer AS failing,
    count(*) FILTER (WHERE status = 'active' AND failing_since >= $1)::integer AS lately,
    min(failing_since) FILTER (WHERE status = 'active') AS since
  FROM webhook WHERE deleted_at IS NULL`

/** Merchants mend their endpoints themselves; the operator may want to contact them. */
export const checkWebhooks: Check = async ({ db, clock }) => {
  const now = clock.now()
  const [row = {}] = await db.query(ENDPOINTS, [after(now, -LONG_FAILING_MS)])
  const { active = 0, disabled = 0, failing = 0, lately = 0, since } = row
  const all = counted(active, 'endpoint')
  const age = lapse(now.getTime() - (since ?? now).getTime())
  const problems = [
    failing > 0 &&
      warning(
        `${failing} of ${all} ${failing === 1 ? 'takes' : 'take'} nothing, the longest for ${age}; after 5 days they are disabled`,
        'lamplighter deliveries --channel webhook shows what they answer: contact their merchants.',
      ),
    disabled > 0 &&
      warning(
        `${counted(disabled, 'endpoint was', 'endpoints were')} disabled: failed for days, or answered 410`,
        'PUT /webhook/{id} with status active enables one again, and a replay sends what it missed.',
      ),
  ]
  const state =
    lately === 0 ? 'all are well' : `${lately} of them failed lately: they are tried again`
  return { subject: 'webhooks', ok: `${all}, and ${state}`, problems }
}
