// The tokens of the sandbox gateway: what it makes of cards and bank accounts, and what it says of
// those that a browser brought.

import { after, HOUR } from '../../../core/time-units.ts'
import type { Database } from '../../../db/database.ts'
import type { Clock } from '../../clock.ts'
import type { Instrument, KnownToken, Tokenising } from '../port.ts'
import { examineBank, examineCard } from './cards.ts'

interface Needs {
  readonly db: Database
  readonly clock: Clock
  readonly newId: () => string
}

/** As long as a page that takes a payment is left open; what is older was not meant for it. */
const USABLE_MS = HOUR

export async function tokenise(
  { db, clock, newId }: Needs,
  accountId: string,
  method: 'card' | 'bank',
  instrument: Instrument,
  now: Date,
): Promise<Tokenising> {
  const examined = method === 'card' ? examineCard(instrument, now) : examineBank(instrument)
  if (examined.kind === 'faults') return examined
  const { approves, lastFour, cardType } = examined
  const cardExp = method === 'card' ? (instrument.cardExp ?? null) : null
  const token = `tok_sandbox_${newId()}`
  const createdAt = clock.now()
  await db.prisma.sandboxGatewayToken.create({
    data: { accountId, token, approves, method, lastFour, cardType, cardExp, createdAt },
  })
  return { kind: 'token', tokenised: { token, lastFour, cardType } }
}

export async function knownToken(
  { db, clock }: Needs,
  accountId: string,
  token: string,
): Promise<KnownToken | undefined> {
  const found = await db.prisma.sandboxGatewayToken.findUnique({
    where: { accountId_token: { accountId, token } },
  })
  if (found === null || after(found.createdAt, USABLE_MS) <= clock.now()) return undefined
  const { method, lastFour, cardType, cardExp } = found
  if ((method !== 'card' && method !== 'bank') || lastFour === null) return undefined
  return { method, lastFour, cardType, cardExp }
}
