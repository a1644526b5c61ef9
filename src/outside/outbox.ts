// Keeps messages while no provider is configured: a row and a file for each.

import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MessageChannel, SendAnswer } from '../core/delivery.ts'
import { columnsOf } from '../db/columns.ts'
import type { Database } from '../db/database.ts'
import { makeFolder } from '../db/embedded/files.ts'
import { isDatabaseAway } from '../db/failure.ts'
import type { Clock } from './clock.ts'

export interface Outbox {
  readonly db: Database
  readonly clock: Clock
  readonly newId: () => string
  readonly folder: string
}

export interface KeptMessage {
  readonly accountId: string
  readonly deliveryId: string
  readonly channel: MessageChannel
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

/** Messages contain names and addresses, so only the service's user may read them. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

const messages = columnsOf<KeptMessage & Omit<Named, 'channel'>>('OutboxMessage', 'm')

/** The row counts. If the file cannot be written, the message is still kept. */
export async function keep(
  { db, clock, newId, folder }: Outbox,
  message: KeptMessage,
  content: string | Buffer,
): Promise<SendAnswer> {
  const row = { ...message, id: newId(), createdAt: clock.now() }
  try {
    await messages.insert(db.query, row)
  } catch (error) {
    const isAway = isDatabaseAway(error)
    return { kind: isAway ? 'away' : 'failed', detail: 'the outbox cannot be written' }
  }
  const fault = await writeWhole(folder, fileNameOf(row), content)
  const detail = fault === undefined ? undefined : `kept without its file (${fault})`
  return { kind: 'taken', providerId: row.id, ...(detail && { detail }) }
}

/** Names sort in the order in which the messages were sent. */
export function fileNameOf({ id, channel, createdAt }: Named): string {
  const time = createdAt.toISOString().replace(/[-:.]/g, '')
  return `${time}-${id}.${channel === 'email' ? 'eml' : 'txt'}`
}

/** The folder shows only complete files. Returns the error code of a failure. */
async function writeWhole(
  folder: string,
  name: string,
  content: string | Buffer,
): Promise<string | undefined> {
  const path = join(folder, name)
  const part = `${path}.part`
  try {
    await makeFolder(folder, FOLDER_MODE)
    await writeFile(part, content, { mode: FILE_MODE, flag: 'wx' })
    await rename(part, path)
    return undefined
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    const { code } = error as NodeJS.ErrnoException
    return code ?? 'unknown'
  }
}
