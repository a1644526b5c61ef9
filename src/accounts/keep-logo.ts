// Keeps the logo of an account: one row of its own, so that no row that is read often carries the
// picture. It is served by the hash of its bytes, by which a browser keeps it for good.

import { createHash } from 'node:crypto'
import { PICTURE_RULE, type PictureKind, readPicture } from '../core/picture.ts'
import type { Database } from '../db/database.ts'
import type { Prisma } from '../generated/client.ts'
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

export async function writeLogo(
  tx: Prisma.TransactionClient,
  accountId: string,
  logo: Logo | null,
  now: Date,
): Promise<void> {
  if (logo === null) {
    await tx.accountLogo.deleteMany({ where: { accountId } })
    return
  }
  const { hash, kind, width, height } = logo
  const row = { hash, kind, width, height, bytes: new Uint8Array(logo.bytes), createdAt: now }
  await tx.accountLogo.upsert({
    where: { accountId },
    create: { accountId, ...row },
    update: row,
  })
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
  db: Database,
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
