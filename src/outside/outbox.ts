// Keeps messages while no provider is configured: a row and a file for each.

import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendAnswer } from '../core/delivery.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseAway } from '../db/failure.ts'
import type { Clock } from './clock.ts'

export interface Outbox {
  readonly db: Database
  readonly clock: Clock
  readonly newId: () => string
  /** Where the files go. */
  readonly folder: string
}

export interface KeptMessage {
  readonly accountId: string
  readonly deliveryId: string
  readonly channel: 'email' | 'sms'
  readonly recipient: string
  readonly subject: string | null
  readonly text: string
  readonly html: string | null
}

interface Named {
  readonly id: string
  readonly channel: string
  readonly createdAt: Date
}

/** Messages hold names and addresses: they are for whoever runs the service, and nobody else. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** The row is what counts: a disk that cannot be written keeps no receipt from being sent. */
export async function keep(
  { db, clock, newId, folder }: Outbox,
  message: KeptMessage,
  content: string | Buffer,
): Promise<SendAnswer> {
  const row = { ...message, id: newId(), createdAt: clock.now() }
  try {
    await db.prisma.outboxMessage.create({ data: row })
  } catch (error) {
    const isAway = isDatabaseAway(error)
    return { kind: isAway ? 'away' : 'failed', detail: 'the outbox cannot be written' }
  }
  const fault = await writeWhole(folder, fileNameOf(row), content)
  const detail = fault === undefined ? undefined : `kept without its file (${fault})`
  return { kind: 'taken', providerId: row.id, ...(detail && { detail }) }
}

/** Names sort as their messages were sent. */
export function fileNameOf({ id, channel, createdAt }: Named): string {
  const time = createdAt.toISOString().replace(/[-:.]/g, '')
  return `${time}-${id}.${channel === 'email' ? 'eml' : 'txt'}`
}

/** Whoever looks into the folder finds whole files only. Answers the code of what went wrong. */
async function writeWhole(
  folder: string,
  name: string,
  content: string | Buffer,
): Promise<string | undefined> {
  const path = join(folder, name)
  const part = `${path}.part`
  try {
    await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
    await writeFile(part, content, { mode: FILE_MODE, flag: 'wx' })
    await rename(part, path)
    return undefined
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    const { code } = error as NodeJS.ErrnoException
    return code ?? 'unknown'
  }
}
