// Finds a printed reference: an id, its short form on a receipt, a bill or a page, the id of a
// request, and the address of a payer's page. Ids hold their time, so each account is searched in a
// narrow range of its own key.

import { prefixOf } from '../accounts/key.ts'
import { firstIdAt, isId, isLinkId, msOfId, typedId } from '../core/id.ts'
import { readReference, referenceOf } from '../core/reference.ts'
import { after, MINUTE, SECOND } from '../core/time-units.ts'
import type { World } from '../world.ts'

/** The objects of an account, by their tables. */
const KINDS = [
  'transaction',
  'invoice',
  'customer',
  'schedule',
  'batch',
  'dispute',
  'webhook',
  'event',
  'delivery',
] as const

export interface Printed {
  readonly kind: (typeof KINDS)[number] | 'account' | 'API key' | 'payment link' | 'request'
  readonly accountId: string
  readonly id: string
  readonly teamId: string
  readonly teamName: string
  readonly mode: string
}

/** An account makes this many of a kind in a millisecond at most. */
const MOST_OF_ONE = 100

const MOST = 1_000

/** Each kind is looked up by its key in every account. */
const RANGES = [
  ...KINDS.map((kind) => inEachAccount(kind, 'id >= $1 AND id < $2')),
  `SELECT 'account', id, id FROM account WHERE id >= $1 AND id < $2`,
].join(' UNION ALL ')

/** A request creates its rows soon after it arrives. */
const REQUEST_MS = 3 * MINUTE

/** Times at which requests of one id came. Each is searched in all accounts. */
const MOST_ARRIVALS = 10

const ofRequest = (kind: 'transaction' | 'event') =>
  inEachAccount(kind, 'id >= $1 AND id < $2 AND request_id = $3')

function inEachAccount(kind: (typeof KINDS)[number], condition: string): string {
  return `
    SELECT '${kind}' AS kind, a.id AS account_id, f.id
    FROM account a CROSS JOIN LATERAL (
      SELECT id FROM ${kind} WHERE account_id = a.id AND ${condition}
      ORDER BY id LIMIT ${MOST_OF_ONE}
    ) f`
}

/** Named as in `Printed`. */
const withTeams = (found: string) => `
  SELECT f.kind, f.account_id AS "accountId", f.id, a.mode, b.id AS "teamId", b.name AS "teamName"
  FROM (${found}) f JOIN account a ON a.id = f.account_id JOIN team b ON b.id = a.team_id
  ORDER BY f.id LIMIT ${MOST}`

/** Payers name a payment link and an invoice without an account. */
const NAMED_BY_PAYERS = `
  SELECT 'payment link' AS kind, account_id, id::text FROM payment_link_name WHERE id = $1
  UNION ALL
  SELECT 'invoice', account_id, invoice_id::text FROM bill_name WHERE token = $1`

/** A key as its list shows it, or more of it. */
const KEY = /^sk_(?:sandbox|live)_[\w-]{6}/

const KEYS = withTeams(`SELECT 'API key' AS kind, account_id, id FROM api_key WHERE prefix = $1`)

/** The text of a search without a secret: of a key only its beginning. */
export function withoutKey(text: string): string {
  return KEY.test(text) ? prefixOf(text) : text
}

/** The label before a printed short form: `Receipt no.`, `Invoice`, `Reçu n°`. */
const LABEL = /^(?:\p{L}+:?\s+(?:n\S*\s+|#\s*)?|#\s*)/iu

/** The address of a payer's page has such a name, which that of a payment may follow. */
const PAGE = /^\S*\/(?:pay|bill)\/([^/?#]+)(?:[/?#]\S*)?$/i

export const PRINTED = withTeams(RANGES)
/** A refused request has created nothing, but its answer is known. */
const REQUESTS = withTeams(`
  SELECT 'request' AS kind, a.id AS account_id, $1::text AS id FROM account a
  WHERE EXISTS (SELECT FROM recent_request WHERE account_id = a.id AND request_id = $1)`)

export const TRANSACTIONS_OF_REQUEST = withTeams(ofRequest('transaction'))
const EVENTS_OF_REQUEST = withTeams(ofRequest('event'))
const OF_PAYERS = withTeams(NAMED_BY_PAYERS)

/**
 * A caller may choose the id of its request, which then says nothing of its time; and others may
 * choose the same. The last times at which one came, to the minute.
 */
const ARRIVED = `
  SELECT DISTINCT date_trunc('minute', r.at - make_interval(secs => r.ms / 1000.0)) AS at
  FROM account a CROSS JOIN LATERAL (
    SELECT at, ms FROM recent_request WHERE account_id = a.id AND request_id = $1
    ORDER BY id DESC LIMIT ${MOST_OF_ONE}
  ) r
  ORDER BY at DESC LIMIT ${MOST_ARRIVALS}`

/**
 * Undefined if the text is neither an id, nor the short form of one, nor the beginning of a key,
 * nor the id of a request of the last day.
 */
export async function findPrinted(
  world: World,
  text: string,
): Promise<readonly Printed[] | undefined> {
  if (KEY.test(text)) return read(world, KEYS, [prefixOf(text)])
  const name = text.replace(PAGE, '$1').toLowerCase()
  const ofPayers = isLinkId(name) ? await read(world, OF_PAYERS, [name]) : []
  if (ofPayers.length > 0) return ofPayers
  const asked = typedId(text)
  if (asked === undefined) {
    const typed = readReference(text) ?? readReference(text.replace(LABEL, ''))
    if (typed === undefined) return madeByRequest(world, text)
    const found = await read(world, PRINTED, [typed.firstId, typed.nextId])
    return found.filter(({ id }) => referenceOf(id) === typed.reference)
  }
  // It is the first of its range, however many rows its millisecond has.
  const nextId = firstIdAt(new Date(msOfId(asked) + 1))
  const found = await read(world, PRINTED, [asked, nextId])
  const [own] = found.filter(({ id }) => id === asked)
  if (own !== undefined) return [own]
  // A request of ours is named by an id of ours, with its hyphens.
  return isId(text) ? made(world, asked, [new Date(msOfId(asked))]) : madeByRequest(world, text)
}

async function madeByRequest(
  world: World,
  requestId: string,
): Promise<readonly Printed[] | undefined> {
  const rows = await world.db.query(ARRIVED, [requestId])
  // The clock of another process may differ a little.
  const arrivals = rows.map(({ at }) => after(at, -SECOND))
  return arrivals.length > 0 ? made(world, requestId, arrivals) : undefined
}

/**
 * Returns the transactions of each request; if there are none, the events, which cover all other
 * objects. Returns the requests themselves if none changed anything.
 */
async function made(
  world: World,
  requestId: string,
  arrivals: readonly Date[],
): Promise<readonly Printed[]> {
  const found = new Map<string, Printed>()
  for (const at of arrivals) {
    const values = [firstIdAt(at), firstIdAt(after(at, REQUEST_MS)), requestId]
    const transactions = await read(world, TRANSACTIONS_OF_REQUEST, values)
    const own =
      transactions.length > 0 ? transactions : await read(world, EVENTS_OF_REQUEST, values)
    for (const one of own) found.set(one.id, one)
  }
  return found.size > 0 ? [...found.values()] : read(world, REQUESTS, [requestId])
}

async function read({ db }: World, text: string, values: readonly string[]) {
  return (await db.query(text, values)) as readonly Printed[]
}
