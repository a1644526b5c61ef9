// The libraries alone, used for speed: the limit with which deliveries are compared.

import { createTransport } from 'nodemailer'
import { Webhook } from 'standardwebhooks'
import { Pool } from 'undici'
import { SECOND } from '../src/core/time-units.ts'
import { newId } from '../src/outside/identity.ts'
import { SECRET } from './delivery-secret.ts'
import type { DeliveryService } from './delivery-service.ts'

/** As many connections as the service has to the same server. */
const MAIL_CONNECTIONS = 10
const POST_CONNECTIONS = 64

export async function bareMails(measured: DeliveryService, count: number): Promise<number> {
  const { mail } = measured
  const transport = createTransport(measured.smtpUrl, {
    pool: true,
    maxConnections: MAIL_CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
  } as object)
  await measured.ask('forget')
  const startedMs = performance.now()
  await inParallel(count, MAIL_CONNECTIONS * 2, () =>
    transport.sendMail({
      from: { name: mail.fromName, address: 'till@lamplighter.test' },
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      messageId: `<${newId()}@lamplighter.test>`,
      date: mail.date,
    }),
  )
  const tookMs = performance.now() - startedMs
  transport.close()
  await arrived(measured, count)
  return tookMs
}

export async function barePosts(measured: DeliveryService, count: number): Promise<number> {
  const { origin, pathname: path } = new URL(measured.endpointUrl)
  const pool = new Pool(origin, { connections: POST_CONNECTIONS })
  await measured.ask('forget')
  const startedMs = performance.now()
  // It is signed once, because the measured work of undici is the post.
  const id = newId()
  const signedAt = new Date()
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(signedAt.getTime() / SECOND)),
    'webhook-signature': new Webhook(SECRET).sign(id, signedAt, measured.body),
  }
  await inParallel(count, POST_CONNECTIONS, async () => {
    const { body } = await pool.request({ method: 'POST', path, headers, body: measured.body })
    await body.dump()
  })
  const tookMs = performance.now() - startedMs
  await pool.close()
  await arrived(measured, count)
  return tookMs
}

async function inParallel(
  count: number,
  atOnce: number,
  send: () => Promise<unknown>,
): Promise<void> {
  let left = count
  const sender = async () => {
    while (left > 0) {
      left -= 1
      await send()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
}

async function arrived(measured: DeliveryService, count: number): Promise<void> {
  const { count: found } = await measured.ask('arrived')
  if (found !== count) throw new Error(`${found} of ${count} arrived`)
}
