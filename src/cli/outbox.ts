// `lamplighter outbox …`: the messages that were not sent because no provider is configured.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AccountName, accountNames } from '../accounts/list-teams.ts'
import { isId } from '../core/id.ts'
import { OperatorError } from '../core/operator-error.ts'
import { oneLine, plainLines } from '../core/terminal-text.ts'
import type { OutboxMessage } from '../generated/client.ts'
import { fileNameOf } from '../outside/outbox.ts'
import type { QueryWorld } from '../world.ts'
import { type ListOutput, type Output, printOne, printRows } from './output.ts'
import { readLimit, readMessageChannel } from './read-options.ts'
import type { TableColumn } from './table.ts'
import { withQueries } from './with-database.ts'

interface ListOptions extends ListOutput {
  readonly limit: string
  readonly channel?: string
}

interface ShowOptions extends Output {
  readonly html?: boolean
  readonly raw?: boolean
}

/** The longest text in the table. */
const LONGEST_BEGINNING = 60

const MESSAGE_COLUMNS = `
  account_id AS "accountId", id, delivery_id AS "deliveryId", channel, recipient, subject, text,
  html, created_at AS "createdAt"`

const LATEST = `
  SELECT ${MESSAGE_COLUMNS} FROM outbox_message
  WHERE $1::delivery_channel IS NULL OR channel = $1::delivery_channel
  ORDER BY created_at DESC, id DESC LIMIT $2`

const BY_ID = `SELECT ${MESSAGE_COLUMNS} FROM outbox_message WHERE id = $1`

type ListedMessage = Pick<OutboxMessage, 'id' | 'createdAt' | 'channel' | 'recipient'> & {
  readonly accountId: string
  readonly team: string | null
  readonly mode: AccountName['mode'] | null
  readonly says: string
}

const COLUMNS: readonly TableColumn<ListedMessage>[] = [
  { heading: 'ID', read: ({ id }) => id },
  { heading: 'CREATED', read: ({ createdAt }) => createdAt },
  { heading: 'CHANNEL', read: ({ channel }) => channel },
  { heading: 'RECIPIENT', read: ({ recipient }) => recipient, isCut: true },
  { heading: 'SAYS', read: ({ says }) => says, isCut: true },
  { heading: 'TEAM', read: ({ team }) => team, isCut: true },
  { heading: 'MODE', read: ({ mode }) => mode, isWide: true },
  { heading: 'ACCOUNT', read: ({ accountId }) => accountId, isWide: true },
]

export function listOutboxCommand(options: ListOptions): Promise<void> {
  const limit = readLimit(options.limit)
  const channel = readMessageChannel(options.channel)
  return withQueries(async (world) => {
    const messages = (await world.db.query(LATEST, [channel ?? null, limit])) as OutboxMessage[]
    const names = await accountNames(
      world,
      messages.map(({ accountId }) => accountId),
    )
    const rows = messages.map((message) => listed(message, names.get(message.accountId)))
    printRows(rows, COLUMNS, options)
  })
}

export function showMessageCommand(id: string, options: ShowOptions): Promise<void> {
  if (!isId(id)) throw new OperatorError(`${id} is not the id of a message`)
  return withQueries(async (world) => {
    const [message] = (await world.db.query(BY_ID, [id])) as OutboxMessage[]
    if (message === undefined) throw new OperatorError(`there is no message ${id}`)
    if (options.raw === true) writeExact(await fileOf(world, message))
    else if (options.json === true) printOne(message, options)
    else if (options.html === true) writeExact(htmlOf(message))
    else process.stdout.write(textOf(message))
  })
}

function listed(message: OutboxMessage, name: AccountName | undefined): ListedMessage {
  const { id, createdAt, channel, recipient, subject, text, accountId } = message
  const beginning = [...oneLine(text).replace(/\s+/g, ' ')].slice(0, LONGEST_BEGINNING).join('')
  const { team = null, mode = null } = name ?? {}
  return { id, accountId, team, mode, createdAt, channel, recipient, says: subject ?? beginning }
}

/** Byte by byte for a file or another program; a terminal must not obey what a message contains. */
function writeExact(content: Buffer): void {
  process.stdout.write(process.stdout.isTTY ? plainLines(content.toString()) : content)
}

/** The HTML page alone, so that a browser can show it. */
function htmlOf({ id, html }: OutboxMessage): Buffer {
  if (html === null) throw new OperatorError(`message ${id} has no HTML: it is an SMS`)
  return Buffer.from(`${html}\n`)
}

function textOf(message: OutboxMessage): string {
  const { id, accountId, deliveryId, channel, recipient, subject, createdAt, text } = message
  const head = { Id: id, Account: accountId, Delivery: deliveryId, Channel: channel, To: recipient }
  const about = { ...head, ...(subject !== null && { Subject: subject }) }
  const lines = Object.entries({ ...about, Date: createdAt.toISOString() })
  const shown = lines.map(([name, value]) => `${name}: ${oneLine(value)}\n`)
  return `${shown.join('')}\n${plainLines(text)}\n`
}

/** The bytes of the file, which may be on another machine or missing. */
async function fileOf({ config }: QueryWorld, message: OutboxMessage): Promise<Buffer> {
  const path = join(config.dataDir, 'outbox', fileNameOf(message))
  try {
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new OperatorError(`the file of message ${message.id} cannot be read (${code}): ${path}`)
  }
}
