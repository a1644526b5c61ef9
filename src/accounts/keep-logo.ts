// Keeps the logo of an account: one row of its own, so that no row that is read often carries the
// picture. It is served by the hash of its bytes, by which a browser keeps it for good.

import { createHash } from 'node:crypto'
import { PICTURE_RULE, type PictureKind, readPicture } from '../core/picture.ts'
import type { Database, Query } from '../db/database.ts'
import type { LogoFacts } from './look.ts'

export interface Logo extends LogoFacts {
  readonly bytes: Buffer
}

export const LOGO_FAULT = `${PICTURE_RULE}; or none`

const HASH_CHARACTERS = 32

/** The only way to a logo. Undefined if the bytes are no picture that may be shown. */
export function logoOf(bytes: Buffer): Logo | undefined {
  const picture = readPicture(bytes)
  if (picture === undefined) return undefined
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, HASH_CHARACTERS)
  return { ...picture, hash, bytes }
}

const WRITE = `
  INSERT INTO account_logo (account_id, hash, kind, width, height, bytes, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (account_id) DO UPDATE SET
    hash = excluded.hash, kind = excluded.kind, width = excluded.width, height = excluded.height,
    bytes = excluded.bytes, created_at = excluded.created_at`

const REMOVE = 'DELETE FROM account_logo WHERE account_id = $1'

export async function writeLogo(
  query: Query,
  accountId: string,
  logo: Logo | null,
  now: Date,
): Promise<void> {
  if (logo === null) {
    await query(REMOVE, [accountId])
    return
  }
  const { hash, kind, width, height, bytes } = logo
  await query(WRITE, [accountId, hash, kind, width, height, bytes, now])
}

const BY_HASH = 'SELECT kind, bytes FROM account_logo WHERE hash = $1 LIMIT 1'

/** The account does not matter: the same hash is the same picture. */
export async function findLogo(
  db: Database,
  hash: string,
): Promise<{ readonly kind: PictureKind; readonly bytes: Buffer } | undefined> {
  const [row] = await db.query(BY_HASH, [hash])
  return row === undefined ? undefined : { kind: row.kind, bytes: row.bytes }
}

const OF_ACCOUNTS = `
  SELECT account_id, hash, kind, width, height FROM account_logo WHERE account_id = ANY($1)`

/** The logos by account, without the pictures themselves. */
export async function logosOf(
  db: Pick<Database, 'query'>,
  accountIds: readonly string[],
): Promise<ReadonlyMap<string, LogoFacts>> {
  const rows = await db.query(OF_ACCOUNTS, [accountIds])
  return new Map(
    rows.map(({ account_id, hash, kind, width, height }) => [
      account_id,
      { hash, kind, width, height },
    ]),
  )
}

/** `PNG, 320 × 96` */
export function logoText(logo: LogoFacts | undefined): string {
  return logo === undefined ? 'none' : `${logo.kind.toUpperCase()}, ${logo.width} × ${logo.height}`
}
