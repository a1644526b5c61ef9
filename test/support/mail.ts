// A mail, and both channels for it: over SMTP to a sink, and into the outbox.

import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime, { type Email } from 'postal-mime'
import { outboxMailer } from '../../src/outside/mail/outbox.ts'
import type { Mail, Mailer } from '../../src/outside/mail/port.ts'
import { smtpMailer } from '../../src/outside/mail/smtp.ts'
import type { World } from '../../src/world.ts'
import { openSmtpSink } from './smtp-sink.ts'

export const SENDER = 'Lamplighter <pay@shop.example>'

export interface MailWay {
  readonly mailer: Mailer
  /** The messages since the last call. */
  newMessages(): Promise<readonly { readonly raw: string; readonly email: Email }[]>
  close(): Promise<void>
}

export function aMail(changes: Partial<Mail> = {}): Mail {
  return {
    accountId: randomUUID(),
    deliveryId: randomUUID(),
    fromName: 'Moonlight Books',
    to: 'ada@example.com',
    replyTo: 'team@moonlight.example',
    subject: 'Your receipt',
    text: 'Thank you: $12.50\n',
    html: '<p>Thank you: <b>$12.50</b></p>',
    date: new Date('2026-03-04T05:06:07Z'),
    optOutUrl: null,
    ...changes,
  }
}

/** Time enough for any machine. */
export function inTime(): AbortSignal {
  return AbortSignal.timeout(15_000)
}

export async function smtpWay(): Promise<MailWay> {
  const sink = await openSmtpSink()
  const mailer = smtpMailer({ url: sink.url, from: SENDER })
  let seen = 0
  return {
    mailer,
    async newMessages() {
      const fresh = sink.received.slice(seen)
      seen = sink.received.length
      return fresh
    },
    async close() {
      await mailer.close()
      await sink.close()
    },
  }
}

export async function outboxWay({ db, clock, newId }: World): Promise<MailWay> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-outbox-'))
  const mailer = outboxMailer({ db, clock, newId, folder }, SENDER)
  const seen = new Set<string>()
  return {
    mailer,
    async newMessages() {
      const names = (await readdir(folder)).filter((name) => !seen.has(name))
      for (const name of names) seen.add(name)
      const files = await Promise.all(names.map((name) => readFile(join(folder, name))))
      return Promise.all(
        files.map(async (file) => ({
          raw: file.toString(),
          email: await PostalMime.parse(file),
        })),
      )
    },
    async close() {
      await mailer.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
